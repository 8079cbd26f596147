/** A Ctrl-C reaches us twice, from the terminal and from the process above us: within this time it is one. */
const sameKeypressMs = 500;

/** Calls `stop` at the first request to end, and `hurry` at a later one. */
export function onStopSignal(stop: () => void, hurry: () => void): void {
  let first = 0;
  const handle = () => {
    const now = Date.now();
    if (first === 0) {
      first = now;
      stop();
    } else if (now - first > sameKeypressMs) hurry();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle);
}
