import type { HeldClaim } from '../../projection/index.ts';
import type { Ledger } from './ledger.ts';
import type { StopReason } from './running-effect.ts';

/** A lease lasts 3 s by the database's clock; renewed this often it survives a lost round. */
const RENEW_EVERY_MS = 1_000;

/** Renews every lease of this process in one statement a second, and passes on cancels and take-overs. */
export class LeaseKeeper {
  readonly #ledger: Pick<Ledger, 'renew'>;
  readonly #held = new Map<HeldClaim, (reason: StopReason) => void>();
  #timer: NodeJS.Timeout | undefined;
  #round: 'none' | 'asking' = 'none';

  constructor(input: { ledger: Pick<Ledger, 'renew'> }) {
    this.#ledger = input.ledger;
  }

  /** Keeps a lease until the returned function is called; `stop` hears why the holder should end. */
  hold(claim: HeldClaim, stop: (reason: StopReason) => void): () => void {
    this.#held.set(claim, stop);
    this.#timer ??= setInterval(() => void this.#renew(), RENEW_EVERY_MS);
    return () => {
      this.#held.delete(claim);
      if (this.#held.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  async #renew(): Promise<void> {
    if (this.#round === 'asking') return;
    this.#round = 'asking';
    const asked = [...this.#held.keys()];
    try {
      const answers = await this.#ledger.renew(asked);
      for (const claim of asked) this.#tell(claim, answers.get(claim));
    } catch {
      // The database is away, and so it is for everyone who could take a claim over.
    } finally {
      this.#round = 'none';
    }
  }

  #tell(claim: HeldClaim, answer: 'held' | 'cancel-requested' | undefined): void {
    const stop = this.#held.get(claim); // gone when the effect finished while we asked
    if (answer === undefined) stop?.('lost');
    if (answer === 'cancel-requested') stop?.('cancelled');
  }
}
