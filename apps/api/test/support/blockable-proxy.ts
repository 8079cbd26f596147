import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can go dead without a word: no packet passes, and nothing is closed. */
export interface BlockableProxy {
  readonly port: number;
  block(): void;
  /** What is asked comes through, what is answered does not; for connections that are open. */
  silence(): void;
  unblock(): void;
  close(): Promise<void>;
}

/** Forwards connections to a local port. */
export async function blockableProxy(target: number): Promise<BlockableProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let blocked = false;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    const upstream = connect(target, '127.0.0.1');
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
    for (const socket of pair) {
      if (blocked) socket.pause();
      else socket.resume();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const each = (act: (socket: Socket) => void) => pairs.forEach((pair) => pair.forEach(act));
  return {
    port: (server.address() as AddressInfo).port,
    block() {
      blocked = true;
      each((socket) => socket.pause());
    },
    silence() {
      pairs.forEach(([, upstream]) => upstream.pause());
    },
    unblock() {
      blocked = false;
      each((socket) => socket.resume());
    },
    async close() {
      each((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
