import { connect, createServer } from 'node:net';
import { InfraError } from './infra-error.ts';

const host = '127.0.0.1';

// Linux hands out client ports from 32768 up: a listener there can be beaten to its port by any outgoing connection.
const lowestFallback = 20_000;
const highestFallback = 32_000;

/** Whether somebody accepts connections on this loopback port. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Whether this process could bind this loopback port right now. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/** The preferred port when it is free, else a random free one below the ephemeral range. */
export async function choosePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = lowestFallback + Math.floor(Math.random() * (highestFallback - lowestFallback));
    if (await isFree(port)) return port;
  }
  throw new InfraError(
    'INFRA_NO_PORT',
    `no free port between ${lowestFallback} and ${highestFallback}`,
    'stop some servers on this machine',
  );
}
