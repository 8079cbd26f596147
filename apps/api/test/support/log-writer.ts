import { randomBytes } from 'node:crypto';
import type { AuthoredEvent, SessionId, TenantId } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import type { RowChanges } from '../../../worker/src/contract/index.ts';
import { commit, openLog, type Projection } from '../../../worker/src/projection/index.ts';
import { author } from '../../../worker/src/projection/test/test-session.ts';

/** Writes a log as a worker would: through the one function that numbers events, announced after each commit. */
export class LogWriter {
  readonly key: { tenant: TenantId; session: SessionId };
  readonly #projection: Projection;
  readonly #author = author('session');
  #turn = 0;
  #seqs = 0;

  private constructor(projection: Projection, tenant: string) {
    this.#projection = projection;
    this.key = { tenant: tenant as TenantId, session: `s-${randomBytes(5).toString('hex')}` as SessionId };
  }

  static async open(projection: Projection, tenant = 'acme', options: object = {}): Promise<LogWriter> {
    const writer = new LogWriter(projection, tenant);
    await startSessionRow(projection.database, {
      ...writer.key,
      header: { version: 0, id: writer.key.session, createdAt: 1 },
      options,
    });
    await openLog(projection, { ...writer.key, intent: 'open', runId: 'run-1' });
    return writer;
  }

  /** How many events were written. */
  get length(): number {
    return this.#seqs;
  }

  async commit(events: AuthoredEvent[], rows?: RowChanges): Promise<void> {
    const change = { events, highestAcknowledged: -1, ...(rows && { rows }) };
    await commit(this.#projection, { ...this.key, generation: 1, commit: change });
    this.#seqs += events.length;
  }

  /** Opens a turn with one message. */
  async beginTurn(text = 'hello'): Promise<void> {
    this.#turn += 1;
    const source = { kind: 'user' } as const;
    await this.commit([
      this.#author('turn/start', { turn: this.#turn, trigger: { kind: 'message', source } }),
      this.#author('user/message', { content: [{ type: 'text', text }], source }, 0, { surfaceOp: 'append' }),
      this.#author('step/start', { turn: this.#turn, step: 1 }),
    ]);
  }

  /** Adds deltas to the open step, one event each, in one commit. */
  async chunks(...texts: string[]): Promise<void> {
    await this.commit(
      texts.map((text) =>
        this.#author('assistant/chunk', { turn: this.#turn, step: 1, chunk: { type: 'text-delta', index: 0, text } }),
      ),
    );
  }

  async endTurn(): Promise<void> {
    await this.commit([
      this.#author('step/end', { turn: this.#turn, step: 1 }),
      this.#author('turn/end', { turn: this.#turn, reason: { kind: 'completed' } }),
    ]);
  }

  /** Any event, named by this author. */
  get event() {
    return this.#author;
  }
}
