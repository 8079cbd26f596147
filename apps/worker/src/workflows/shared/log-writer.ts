import {
  EVENTS_PER_COMMIT_BYTES,
  firstPortion,
  isSurfaceType,
  jsonBytes,
  RIDING_EVENTS_LIMIT_BYTES,
  travellingTokens,
  type Ack,
  type AuthoredEvent,
  type SessionLog,
} from '@everturn/core/domain';
import type { AuthoredEventOf, SessionEventType, SourceRef, SurfaceEventType } from '@everturn/core/domain';
import type { Commit, Committed, RowChanges, SessionRef } from '../../contract/index.ts';
import { Mutex } from './mutex.ts';
import { commitLog } from '../proxies.ts';
import { mergeRows } from './row-changes.ts';

/** What every surface event holds. */
type Surfaced = Pick<AuthoredEventOf<'user/message'>['data'], 'content'>;

/**
 * A workflow's pen. It names events and keeps each until its number is known. New events ride in the input of whatever
 * activity comes next; while an earlier one is still on its way, a `commitLog` with all of them goes first, because
 * order of append is order of number. It also keeps a workflow task small: many events go in several commits, one after
 * another, and never in bulk into an input or a result. (An event is at most about 100 KiB, arguments of a message's
 * calls at most 128 KiB together, and ten bodies start at once, so a task stays below 1 MiB.)
 */
export class LogWriter {
  readonly log: SessionLog;
  readonly #ref: () => SessionRef;
  #inherited: AuthoredEvent[];
  readonly #inheritedAcks: Ack[] = [];
  #rows: RowChanges | undefined;
  #highestAcknowledged: number;
  #onTheWay = 0;
  #tokens = 0;
  readonly #flushing = new Mutex();

  constructor(input: {
    ref: () => SessionRef;
    log: SessionLog;
    highestAcknowledged: number;
    /** Events of the workflow above, which go before ours. */
    inherited?: AuthoredEvent[];
    rows?: RowChanges | undefined;
  }) {
    this.#ref = input.ref;
    this.log = input.log;
    this.#highestAcknowledged = input.highestAcknowledged;
    this.#inherited = input.inherited ?? [];
    this.#rows = input.rows;
  }

  /** Names an event; a surface event goes to the end of the surface. */
  append<T extends SessionEventType>(type: T, data: AuthoredEventOf<T>['data'], sources?: SourceRef[]): AuthoredEvent {
    const surface = isSurfaceType(type) ? { surfaceOp: 'append', ...(sources && { sources }) } : undefined;
    if (surface) this.#tokens += travellingTokens((data as unknown as Surfaced).content);
    return this.#name(type, data, surface);
  }

  /** Names a surface event that stands in place of others, by number; they are among its sources. */
  replace<T extends SurfaceEventType>(
    type: T,
    data: AuthoredEventOf<T>['data'],
    { start, end, sources }: { start: number; end: number; sources: readonly SourceRef[] },
  ): AuthoredEvent {
    return this.#name(type, data, { surfaceOp: { op: 'replace', start, end }, sources });
  }

  /** About how many tokens the surface events cost that were appended here. */
  get tokens(): number {
    return this.#tokens;
  }

  #name(type: SessionEventType, data: unknown, surface: object | undefined): AuthoredEvent {
    const append = this.log.append.bind(this.log) as (type: string, data: unknown, surface?: object) => AuthoredEvent;
    return append(type, data, surface);
  }

  /** Changes rows beside the log in the transaction of the next commit. */
  change(rows: RowChanges): void {
    this.#rows = mergeRows(this.#rows, { ...rows, at: Date.now() });
  }

  /** Whether anything waits for a commit. */
  get dirty(): boolean {
    return this.#rows !== undefined || this.#unacknowledged().length > 0;
  }

  get highestAcknowledged(): number {
    return this.#highestAcknowledged;
  }

  /** What a workflow hands up or down when it closes or starts a child; the receiver commits it. */
  handOver(): { pending: AuthoredEvent[]; rows?: RowChanges; inheritedAcks: Ack[] } {
    const rows = this.#rows;
    this.#rows = undefined;
    return { pending: this.#unacknowledged(), inheritedAcks: this.#inheritedAcks, ...(rows && { rows }) };
  }

  /** Takes over what another workflow wrote and did not get acknowledged. */
  takeOver(pending: AuthoredEvent[], rows: RowChanges | undefined, highestAcknowledged: number): void {
    this.#inherited.push(...pending);
    this.#rows = mergeRows(rows, this.#rows);
    this.#seen(highestAcknowledged);
  }

  /** Runs an activity that carries what is new, and learns the numbers it returns. */
  async carry<R extends Committed>(run: (commit: Commit) => Promise<R>): Promise<R> {
    if (this.#onTheWay > 0 && this.#unacknowledged().length > 0) await this.flush();
    // Without a wait where none is needed: the activity must be under way before its caller looks for a cancel.
    while (this.heavy) await this.flush();
    return this.#send(run, this.#unacknowledged());
  }

  /** Whether there is too much to ride along or to be handed over, so that a flush must go first. */
  get heavy(): boolean {
    return jsonBytes(this.#unacknowledged()) > RIDING_EVENTS_LIMIT_BYTES;
  }

  /** Commits everything named so far; returns once it is numbered. */
  async flush(): Promise<void> {
    await this.#flushing.run(async () => {
      while (this.dirty) {
        const portion = firstPortion(this.#unacknowledged(), EVENTS_PER_COMMIT_BYTES);
        await this.#send((commit) => commitLog({ ...this.#ref(), commit }), portion);
      }
    });
  }

  /** Waits for commits that run beside the workflow's own work, and for those of what is too much to be handed over. */
  async idle(): Promise<void> {
    await this.#flushing.run(async () => undefined);
    if (this.heavy) await this.flush();
  }

  async #send<R extends Committed>(run: (commit: Commit) => Promise<R>, events: AuthoredEvent[]): Promise<R> {
    // Rows go with the last of the events that were named before they changed.
    const rows = events.length < this.#unacknowledged().length ? undefined : this.#rows;
    if (rows) this.#rows = undefined;
    this.#onTheWay += 1;
    try {
      const result = await run({ events, highestAcknowledged: this.#highestAcknowledged, ...(rows && { rows }) });
      this.acknowledge(result.acks);
      return result;
    } catch (error) {
      this.#rows = mergeRows(rows, this.#rows);
      throw error;
    } finally {
      this.#onTheWay -= 1;
    }
  }

  /** Learns numbers that another workflow's activity was given for our events. */
  acknowledge(acks: readonly Ack[]): void {
    const inherited = new Set<string>(this.#inherited.map((event) => event.eid));
    const own: Ack[] = [];
    for (const ack of acks) {
      this.#seen(ack.seq);
      if (inherited.has(ack.eid)) this.#inheritedAcks.push(ack);
      else own.push(ack);
    }
    const answered = new Set<string>(acks.map((ack) => ack.eid));
    this.#inherited = this.#inherited.filter((event) => !answered.has(event.eid));
    this.log.acknowledge(own);
  }

  #seen(seq: number): void {
    this.#highestAcknowledged = Math.max(this.#highestAcknowledged, seq);
  }

  #unacknowledged(): AuthoredEvent[] {
    return [...this.#inherited, ...this.log.pending()];
  }
}
