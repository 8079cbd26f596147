import { DomainError } from './errors.ts';
import { Enclosure } from './enclosure.ts';
import { isEventType, isSurfaceType, validateEventData } from './event-registry.ts';
import type { SeqRange, SessionEvent, SessionEventOf, SurfaceEvent } from './events.ts';
import { SurfaceFold } from './surface-fold.ts';

export type LogRule = 'number' | 'time' | 'payload' | 'enclosure' | 'surface' | 'sources' | 'dangling-call';

/** One broken rule of a log. */
export interface Violation {
  seq: number;
  rule: LogRule;
  message: string;
}

export interface CheckLogInput {
  events: readonly SessionEvent[];
  /** Numbers known to be missing: pruned chunks, or chunks a rebuild could not bring back. */
  gaps?: readonly SeqRange[];
  /** `open` accepts a log whose last turn still runs; `closed` reports it. */
  tail?: 'open' | 'closed';
  /** `trusted` skips payloads the caller has validated already. */
  payloads?: 'check' | 'trusted';
}

/** Checks a whole numbered log against every rule of order, enclosure, pairing and surface; `[]` = sound. */
export function checkLog({ events, gaps = [], tail = 'open', payloads = 'check' }: CheckLogInput): Violation[] {
  const check = new LogCheck(gaps, payloads);
  for (const event of events) check.push(event);
  return check.end(tail);
}

/** {@link checkLog} event by event, for who has them one after another. */
export class LogCheck {
  readonly #violations: Violation[] = [];
  readonly #gaps: readonly SeqRange[];
  readonly #payloads: 'check' | 'trusted';
  readonly #enclosure = new Enclosure({ lastTurn: 0 });
  readonly #surface = new SurfaceFold();
  #chunks: number[] = [];
  #next = 0;
  #time = 0;

  constructor(gaps: readonly SeqRange[], payloads: 'check' | 'trusted') {
    this.#payloads = payloads;
    this.#gaps = gaps.toSorted((a, b) => a.from - b.from);
  }

  push(event: SessionEvent): void {
    this.#checkNumber(event);
    if (event.time < this.#time) this.#report(event.seq, 'time', `time ${event.time} is before ${this.#time}`);
    this.#time = Math.max(this.#time, event.time);
    if (!isEventType(event.type)) {
      if (!event.ignorable) this.#report(event.seq, 'payload', `unknown event type "${event.type as string}"`);
      return;
    }
    if (this.#checkPayload(event)) this.#checkPlace(event);
  }

  end(tail: 'open' | 'closed'): Violation[] {
    const { turn } = this.#enclosure.open;
    if (tail === 'closed' && turn !== undefined)
      this.#report(this.#next - 1, 'enclosure', `turn ${turn} is still open`);
    return this.#violations;
  }

  #checkNumber({ seq }: SessionEvent): void {
    for (let gap = this.#gapAt(this.#next); gap && this.#next < seq; gap = this.#gapAt(this.#next))
      this.#next = gap.to + 1;
    if (seq !== this.#next) this.#report(seq, 'number', `number ${seq} stands where ${this.#next} belongs`);
    this.#next = seq + 1;
  }

  /** The gap a number lies in; by bisection, for long logs have a gap a step. */
  #gapAt(seq: number): SeqRange | undefined {
    let [low, high] = [0, this.#gaps.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#gaps[middle]?.to ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    const gap = this.#gaps[low];
    return gap && gap.from <= seq ? gap : undefined;
  }

  #checkPayload(event: SessionEvent): boolean {
    if (this.#payloads === 'trusted') return true;
    try {
      validateEventData(event.type, event.data);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#report(event.seq, 'payload', error.message);
      return false;
    }
  }

  #checkPlace(event: SessionEvent): void {
    if (event.type === 'step/start') this.#chunks = [];
    if (event.type === 'assistant/chunk') this.#chunks.push(event.seq);
    const misplaced = this.#enclosure.check(event);
    if (misplaced) this.#report(event.seq, 'enclosure', misplaced);
    if (event.type === 'assistant/message') this.#checkChunkSources(event);
    if (event.type === 'tool/result') this.#checkCallSource(event);
    if (event.type === 'step/end') this.#checkAnswered(event);
    this.#enclosure.apply(event);
    const wrong = this.#surface.check(event);
    if (wrong) this.#report(event.seq, 'surface', wrong);
    else this.#surface.apply(withoutContent(event));
  }

  #checkChunkSources({ seq, surfaceOp, sourceEventSeqs }: SessionEventOf<'assistant/message'>): void {
    if (surfaceOp !== 'append' || !sourceEventSeqs) return;
    const present = sourceEventSeqs.filter((source) => !this.#gapAt(source));
    if (present.length === this.#chunks.length && present.every((source, index) => source === this.#chunks[index]))
      return;
    this.#report(seq, 'sources', "sourceEventSeqs does not list exactly the step's chunks in order");
  }

  #checkCallSource({ seq, surfaceOp, sourceEventSeqs, data }: SessionEventOf<'tool/result'>): void {
    const call = this.#enclosure.calls.callSeq(data.callId);
    if (surfaceOp !== 'append' || !sourceEventSeqs || call === undefined || sourceEventSeqs.includes(call)) return;
    this.#report(seq, 'sources', `sourceEventSeqs does not list the tool/call ${call}`);
  }

  #checkAnswered({ seq }: SessionEventOf<'step/end'>): void {
    const [first] = this.#enclosure.calls.unanswered();
    if (first !== undefined) this.#report(seq, 'dangling-call', `call "${first}" has no result at the end of its step`);
  }

  #report(seq: number, rule: LogRule, message: string): void {
    this.#violations.push({ seq, rule, message });
  }
}

/** An event as far as later ones are checked against it: a long log is to be checked without being held in memory. */
function withoutContent(event: SessionEvent): SessionEvent {
  if (!isSurfaceType(event.type)) return event;
  const { sourceEventSeqs, ...node } = event as SurfaceEvent;
  const needed = node.surfaceOp !== 'append' && sourceEventSeqs && { sourceEventSeqs };
  return { ...node, ...needed, data: { ...node.data, content: [] } } as SessionEvent;
}
