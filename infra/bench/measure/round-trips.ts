import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { statementsIn } from './frontend-messages.ts';

/** Stands between a program and Postgres and counts what the program waits for. */
export interface RoundTripCounter {
  /** The database as seen through it. */
  readonly databaseUrl: string;
  /** How often each statement was sent since the last call, one round trip each. */
  take(): Map<string, number>;
  close(): Promise<void>;
}

/**
 * Starts a counter. It counts on the wire, so BEGIN and COMMIT count like any statement and nothing is missed that
 * the server's own counters group by transaction. It costs time, so nothing else is measured through it.
 */
export async function startRoundTripCounter(databaseUrl: string): Promise<RoundTripCounter> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let counts = new Map<string, number>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const count = statementsIn((text) => counts.set(text, (counts.get(text) ?? 0) + 1));
    client.on('data', count);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      open.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(databaseUrl);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    databaseUrl: through.href,
    take() {
      const taken = counts;
      counts = new Map();
      return taken;
    },
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
