/** A Ctrl-C reaches us twice, from the terminal and from the process above us: within this time it is one. */
const sameKeypressMs = 500;

/** Calls `stop` at the first request to end, and `hurry` at every later one. */
export function onStopSignal(stop: () => void, hurry: () => void): void {
  let last: number | undefined;
  const handle = () => {
    const [now, before] = [Date.now(), last];
    if (before !== undefined && now - before <= sameKeypressMs) return;
    last = now;
    if (before === undefined) stop();
    else hurry();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle);
}
