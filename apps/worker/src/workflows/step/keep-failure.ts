import type { ReferredResult } from '@everturn/tools/kit';

/** A port of one call, and the failure of the workflow behind it, which no tool may swallow. */
export interface FailureKeeper<Request> {
  /** Absent where the call may not use it. */
  port?: { run(request: Request): Promise<ReferredResult> };
  failure?: Error;
}

/** Makes a port of a function that answers a failure as a value: the port throws it, and it is kept. */
export function keepFailure<Request>(
  work: (request: Request) => Promise<ReferredResult | Error>,
): FailureKeeper<Request> {
  const kept: FailureKeeper<Request> = {
    port: {
      async run(request) {
        const result = await work(request);
        if (result instanceof Error) throw (kept.failure = result);
        return result;
      },
    },
  };
  return kept;
}
