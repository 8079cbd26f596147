import type { Ack, AuthoredEvent } from './authored.ts';
import { DomainError } from './errors.ts';
import { parseEventId, type EventId } from './ids.ts';

/** How many numbers of recent events are remembered for later references. */
const REMEMBERED_NUMBERS = 512;

/** Events an author has named and not been told the number of; each stays until an activity answers for it. */
export class ResendBuffer {
  #pending: AuthoredEvent[];
  #highestAcknowledged: number;
  #lastOwnSeq = -1;
  readonly #numbers = new Map<EventId, number>();

  constructor(pending: readonly AuthoredEvent[] = [], highestAcknowledged = -1) {
    this.#pending = [...pending];
    this.#highestAcknowledged = highestAcknowledged;
  }

  /** In order of append, which is the order of their numbers. */
  get pending(): readonly AuthoredEvent[] {
    return this.#pending;
  }
  get highestAcknowledged(): number {
    return this.#highestAcknowledged;
  }

  push(event: AuthoredEvent): void {
    this.#pending.push(event);
  }

  /** The number of a recent event. */
  seqOf(eid: EventId): number | undefined {
    return this.#numbers.get(eid);
  }

  /** Takes one answer; `isUnnamed` tells a name the author has not given yet. Throws `DOMAIN_INVALID_ACK`. */
  acknowledge(ack: Ack, isUnnamed: (name: { author: string; generation: number; n: number }) => boolean): void {
    if (this.#pending.some((event) => event.eid === ack.eid)) this.#acknowledgeNext(ack);
    else this.#acknowledgeAgain(ack, isUnnamed);
    this.#remember(ack);
  }

  /** Takes events out that will never have a number. */
  withdraw(eids: readonly EventId[]): AuthoredEvent[] {
    const refused = this.#pending.filter((event) => eids.includes(event.eid));
    this.#pending = this.#pending.filter((event) => !eids.includes(event.eid));
    return refused;
  }

  #acknowledgeNext({ eid, seq }: Ack): void {
    const first = this.#pending[0]?.eid;
    if (first !== eid) throw new DomainError('DOMAIN_INVALID_ACK', `${eid} got number ${seq} before ${first} got one`);
    if (seq <= this.#lastOwnSeq) {
      throw new DomainError(
        'DOMAIN_INVALID_ACK',
        `${eid} got number ${seq}, not above its predecessor's ${this.#lastOwnSeq}`,
      );
    }
    this.#pending.shift();
    this.#lastOwnSeq = seq;
  }

  #acknowledgeAgain({ eid, seq }: Ack, isUnnamed: Parameters<ResendBuffer['acknowledge']>[1]): void {
    const known = this.#numbers.get(eid);
    if (known !== undefined && known !== seq) {
      throw new DomainError('DOMAIN_INVALID_ACK', `${eid} is number ${known} and was answered as ${seq}`);
    }
    const name = parseEventId(eid);
    if (name && isUnnamed(name))
      throw new DomainError('DOMAIN_INVALID_ACK', `${eid} was never named by ${name.author}`);
  }

  #remember({ eid, seq }: Ack): void {
    this.#highestAcknowledged = Math.max(this.#highestAcknowledged, seq);
    this.#numbers.delete(eid);
    this.#numbers.set(eid, seq);
    if (this.#numbers.size <= REMEMBERED_NUMBERS) return;
    const [oldest] = this.#numbers.keys();
    if (oldest !== undefined) this.#numbers.delete(oldest);
  }
}
