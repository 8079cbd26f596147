import './core-events.ts';
import './permission-events.ts';
import type { Ack, AuthoredDataOf, AuthoredEvent, AuthoredEventOf, AuthoredSurface } from './authored.ts';
import { authorScope } from './author-scope.ts';
import type { AuthorScope } from './author-scope.ts';
import { snapshotJson } from './canonical-json.ts';
import { Enclosure } from './enclosure.ts';
import type { EnclosedEvent, EnclosureInput, OpenState } from './enclosure.ts';
import { DomainError } from './errors.ts';
import { validateAuthoredData } from './event-registry.ts';
import type { SessionEventType, SurfaceEventType } from './events.ts';
import { eventId, type Author, type EventId } from './ids.ts';
import { ResendBuffer } from './resend-buffer.ts';
import { checkAuthoredSurface } from './surface-rules.ts';

/** What a log needs to go on where an earlier run stopped. */
export interface SessionLogState {
  generation: number;
  /** The number of the next event of this author. */
  next: number;
  open: OpenState;
  lastTurn?: number;
  lastStep?: number;
  /** -1 = nothing acknowledged yet. */
  highestAcknowledged: number;
  /** Named and not acknowledged, in order; empty once the last activity has answered. */
  pending: AuthoredEvent[];
}

export interface SessionLogInput extends Partial<SessionLogState> {
  author: Author;
  generation: number;
  /** Epoch ms; must be deterministic in workflow code. */
  now: () => number;
  /** Calls of the open step whose `tool/call` another author wrote (recovery). */
  pendingCalls?: Iterable<string>;
}

/** A boundary another author wrote, which this one must know of. */
export type Boundary =
  | { type: 'turn/start' | 'turn/end'; turn: number }
  | { type: 'step/start' | 'step/end'; turn: number; step: number };

type SurfaceArgument<T extends SessionEventType> = T extends SurfaceEventType ? [surface: AuthoredSurface] : [];

const BOUNDARY_AUTHORS: Record<string, readonly AuthorScope['kind'][]> = {
  'turn/start': ['session', 'turn'],
  'turn/end': ['session', 'turn'],
  'step/start': ['step'],
  'step/end': ['session', 'turn', 'step'],
};

/**
 * One author's end of the session log: names events, checks them against what this author can see, and keeps them
 * until an activity has answered their numbers. Deterministic and without I/O, so it runs in workflow code.
 */
export class SessionLog {
  readonly author: Author;
  readonly generation: number;
  readonly #scope: AuthorScope;
  readonly #now: () => number;
  readonly #enclosure: Enclosure;
  readonly #buffer: ResendBuffer;
  #next: number;

  constructor(input: SessionLogInput) {
    this.author = input.author;
    this.generation = input.generation;
    this.#scope = authorScope(input.author);
    this.#now = input.now;
    this.#next = input.next ?? 0;
    this.#buffer = new ResendBuffer(input.pending, input.highestAcknowledged);
    this.#enclosure = new Enclosure({ ...startOf(this.#scope), ...given(input) });
  }

  /** Names an event and keeps it for the next activity; throws a `DomainError` and keeps nothing if it may not stand. */
  append<T extends SessionEventType>(
    type: T,
    data: AuthoredDataOf<T>,
    ...[surface]: SurfaceArgument<T>
  ): AuthoredEventOf<T> {
    const eid = eventId(this.author, this.generation, this.#next);
    const snapshot = snapshotJson(data, `${type}.data`);
    validateAuthoredData(type, snapshot);
    const misplaced = checkAuthoredSurface(type, eid, surface);
    if (misplaced) throw new DomainError('DOMAIN_INVALID_SURFACE', `${type} of ${eid}: ${misplaced}`);
    this.#enclose({ type, data: snapshot, surfaceOp: surface?.surfaceOp });
    const event = snapshotJson({ eid, type, time: this.#time(), data: snapshot, ...surface });
    this.#next += 1;
    // Pieces that were each checked for this type, which a snapshot of them no longer says.
    this.#buffer.push(event as unknown as AuthoredEvent);
    return event as unknown as AuthoredEventOf<T>;
  }

  /** Takes note of a boundary written by another author; throws like `append` if it contradicts what is open. */
  observe({ type, ...data }: Boundary): void {
    const violation = this.#enclosure.check({ type, data });
    if (violation) throw new DomainError('DOMAIN_INVALID_ENCLOSURE', `${type} seen by ${this.author}: ${violation}`);
    this.#enclosure.apply({ type, data });
  }

  /** Events without a number yet, in order of append, which is their order in the log. */
  pending(): readonly AuthoredEvent[] {
    return Object.freeze([...this.#buffer.pending]);
  }

  /** Takes an activity's answer; repeated and foreign names are harmless, a number out of order is an error. */
  acknowledge(acks: readonly Ack[]): void {
    for (const ack of acks) {
      this.#buffer.acknowledge(
        ack,
        ({ author, generation, n }) => author === this.author && generation === this.generation && n >= this.#next,
      );
    }
  }

  /** Takes back events that `commit` refused for good; their names are not used again. */
  withdraw(eids: readonly EventId[]): AuthoredEvent[] {
    return this.#buffer.withdraw(eids);
  }

  /** The number of a recent event, own or answered along with own ones; `undefined` before it has one. */
  seqOf(eid: EventId): number | undefined {
    return this.#buffer.seqOf(eid);
  }

  /** The highest number this author was told; -1 before the first. */
  get highestAcknowledged(): number {
    return this.#buffer.highestAcknowledged;
  }

  /** Which turn and step are open as this author sees it. */
  get open(): OpenState {
    return this.#enclosure.open;
  }

  /** What the next run of the same author starts from; lossless JSON. */
  state(): SessionLogState {
    const { open, lastTurn, lastStep } = this.#enclosure;
    return {
      generation: this.generation,
      next: this.#next,
      open,
      ...(lastTurn !== undefined && { lastTurn }),
      ...(lastStep !== undefined && { lastStep }),
      highestAcknowledged: this.#buffer.highestAcknowledged,
      pending: [...this.#buffer.pending],
    };
  }

  #enclose(event: EnclosedEvent): void {
    const authors = BOUNDARY_AUTHORS[event.type];
    const violation =
      authors && !authors.includes(this.#scope.kind)
        ? `a ${this.#scope.kind} author does not write boundaries of this kind`
        : this.#enclosure.check(event);
    if (violation) throw new DomainError('DOMAIN_INVALID_ENCLOSURE', `${event.type} by ${this.author}: ${violation}`);
    this.#enclosure.apply(event);
  }

  #time(): number {
    const time = this.#now();
    if (Number.isSafeInteger(time) && time >= 0) return time;
    throw new DomainError('DOMAIN_INVALID_EVENT', `time must be epoch milliseconds, not ${time}`);
  }
}

/** What is open when an author of this kind begins: the boundaries around it are others'. */
function startOf(scope: AuthorScope): EnclosureInput {
  switch (scope.kind) {
    case 'session':
      return { lastTurn: 0 };
    case 'turn':
      return { lastTurn: scope.turn - 1, lastStep: 0 };
    case 'step':
      return { open: { turn: scope.turn }, lastStep: scope.step - 1 };
    case 'part':
      return { open: { turn: scope.turn, step: scope.step } };
  }
}

function given({ open, lastTurn, lastStep, pendingCalls }: SessionLogInput): EnclosureInput {
  return {
    ...(open && { open }),
    ...(lastTurn !== undefined && { lastTurn }),
    ...(lastStep !== undefined && { lastStep }),
    ...(pendingCalls && { pendingCalls }),
  };
}
