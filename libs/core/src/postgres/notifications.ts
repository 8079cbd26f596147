import { Client } from 'pg';
import type { Database } from './database.ts';
import { PostgresError, isUnavailable } from './errors.ts';

export type NotificationHandler = (payload: string) => void;

/** Live notifications of a database, over one connection that is watched and replaced. */
export interface Notifications {
  /** Handles every payload until the returned function is called. A handler that throws hurts nobody else. */
  subscribe(handler: NotificationHandler): () => void;
  /**
   * Called on every connection but the first: what was notified in between is lost, so read what was missed.
   * Returns a function that ends it.
   */
  onReconnect(handler: () => void): () => void;
  close(): Promise<void>;
}

export interface OpenNotificationsInput {
  /** Must lead to the server itself: a transaction pooler loses notifications. */
  url: string;
  channel: string;
  /** Whoever notifies; given where it is reached by another address, which might lead elsewhere. */
  sameAs?: Pick<Database, 'pool'>;
  applicationName?: string;
  /** How often the connection is asked for a sign of life, which also bounds how long that may take; default 5,000. */
  checkEveryMs?: number;
  onError?: (error: Error) => void;
}

const LONGEST_PAUSE_MS = 2_000;

/**
 * Listens on a channel; rejects with `POSTGRES_NOT_DIRECT` behind a pooler, with `POSTGRES_OTHER_DATABASE` where nobody
 * would notify, or when the first connection fails.
 */
export async function openNotifications(input: OpenNotificationsInput): Promise<Notifications> {
  const listener = new Listener(input);
  await listener.connect();
  return listener;
}

class Listener implements Notifications {
  readonly #input: OpenNotificationsInput;
  readonly #checkEveryMs: number;
  readonly #handlers = new Set<NotificationHandler>();
  readonly #reconnectHandlers = new Set<() => void>();
  /** Listens; who connects anew is told of a loss by this one alone. */
  #client: Client | undefined;
  #opening: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;

  constructor(input: OpenNotificationsInput) {
    this.#input = input;
    this.#checkEveryMs = input.checkEveryMs ?? 5_000;
  }

  subscribe(handler: NotificationHandler): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  onReconnect(handler: () => void): () => void {
    this.#reconnectHandlers.add(handler);
    return () => this.#reconnectHandlers.delete(handler);
  }

  async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#input.url,
      application_name: this.#input.applicationName ?? 'everturn-listen',
      connectionTimeoutMillis: this.#checkEveryMs,
      query_timeout: this.#checkEveryMs,
      keepAlive: true,
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the connection ended')));
    client.on('notification', ({ payload }) => this.#deliver(payload ?? ''));
    this.#opening = client;
    try {
      await client.connect();
      await refusePooler(client);
      if (this.#input.sameAs) await refuseOther(client, this.#input.sameAs);
      await client.query(`listen ${client.escapeIdentifier(this.#input.channel)}`);
    } catch (error) {
      destroy(client);
      throw error;
    } finally {
      this.#opening = undefined;
    }
    this.#client = client;
    this.#failures = 0;
    this.#timer = setTimeout(() => void this.#check(client), this.#checkEveryMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    if (this.#opening) destroy(this.#opening);
    await client?.end().catch(() => undefined);
  }

  // A connection whose other end vanished without a word looks idle for ever unless it is asked.
  async #check(client: Client): Promise<void> {
    try {
      await client.query('select 1');
      if (this.#client === client) this.#timer = setTimeout(() => void this.#check(client), this.#checkEveryMs);
    } catch (error) {
      this.#lose(client, error as Error);
    }
  }

  #lose(client: Client, error: Error): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = undefined;
    clearTimeout(this.#timer);
    destroy(client);
    this.#input.onError?.(error);
    this.#reconnectSoon();
  }

  #reconnectSoon(): void {
    const pause = Math.min(50 * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures += 1;
    this.#timer = setTimeout(() => void this.#reconnect(), pause);
  }

  async #reconnect(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      if (this.#closed) return;
      if (!isUnavailable(error)) this.#input.onError?.(error as Error);
      this.#reconnectSoon();
      return;
    }
    if (this.#closed) return this.close();
    for (const handler of this.#reconnectHandlers) this.#contain(handler);
  }

  #deliver(payload: string): void {
    for (const handler of this.#handlers) this.#contain(() => handler(payload));
  }

  #contain(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.#input.onError?.(error as Error);
    }
  }
}

// A pooler invents the process id it greets a client with; the server's own is the backend's.
async function refusePooler(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  if (rows[0]?.pid === (client as Client & { processID?: number }).processID) return;
  throw new PostgresError(
    'POSTGRES_NOT_DIRECT',
    'notifications would be lost in the pooler that DATABASE_URL leads through: ' +
      'set DATABASE_DIRECT_URL to the address of the server itself',
  );
}

// The name alone does not tell a restored copy, nor the start alone two databases of one server.
const IDENTITY = `select current_database() || ' ' || extract(epoch from pg_postmaster_start_time()) as identity`;

async function refuseOther(client: Client, { pool }: Pick<Database, 'pool'>): Promise<void> {
  const here = await client.query<{ identity: string }>(IDENTITY);
  const there = await pool.query<{ identity: string }>(IDENTITY);
  if (here.rows[0]?.identity === there.rows[0]?.identity) return;
  throw new PostgresError(
    'POSTGRES_OTHER_DATABASE',
    'DATABASE_DIRECT_URL leads to another database than DATABASE_URL, and nothing would be heard there: correct one',
  );
}

function destroy(client: Client): void {
  // A client that waits for a dead server ends only with its socket, which pg keeps to itself.
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}
