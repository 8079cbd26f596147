/** A signal raised by the caller or by a tool's own budget, which remembers who was first. */
export interface Deadline {
  readonly signal: AbortSignal;
  firstCause(): 'caller' | 'deadline' | undefined;
  /** Ends the timer; call it once the body has settled. */
  stop(): void;
}

/** Derives a body's signal from its caller's and its budget in ms; without a budget only the caller can raise it. */
export function startDeadline(caller: AbortSignal, timeoutMs: number | undefined): Deadline {
  const controller = new AbortController();
  let cause: 'caller' | 'deadline' | undefined;
  const raise = (by: 'caller' | 'deadline', reason: unknown) => {
    if (cause !== undefined) return;
    cause = by;
    controller.abort(reason);
  };
  const onCallerAbort = () => raise('caller', caller.reason);
  if (caller.aborted) onCallerAbort();
  else caller.addEventListener('abort', onCallerAbort, { once: true });
  const expire = () => raise('deadline', new Error(`the budget of ${timeoutMs}ms is spent`));
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
  return {
    signal: controller.signal,
    firstCause: () => cause,
    stop: () => {
      clearTimeout(timer);
      caller.removeEventListener('abort', onCallerAbort);
    },
  };
}
