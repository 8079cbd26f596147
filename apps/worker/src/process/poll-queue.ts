import { GracefulShutdownPeriodExpiredError, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from 'pino';
import { patiently, sleep } from './patiently.ts';

export interface PollQueueInput {
  options: WorkerOptions;
  log: Logger;
  /** Raised when the process is to stop: polling ends, and what runs may finish within the grace. */
  stopping: AbortSignal;
  onPolling(): void;
}

const PAUSE_MS = 2_000;

/** Polls one queue until the process is to stop. A worker that fails (its namespace is gone, say) is made anew. */
export async function pollQueue({ options, log, stopping, onPolling }: PollQueueInput): Promise<void> {
  const { taskQueue } = options;
  while (!stopping.aborted) {
    const worker = await patiently({
      what: `queue ${taskQueue}`,
      attempt: () => Worker.create(options),
      log,
      signal: stopping,
    });
    const stop = () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    };
    try {
      const running = worker.run();
      stopping.addEventListener('abort', stop, { once: true });
      if (stopping.aborted) stop();
      onPolling();
      await running;
    } catch (error) {
      if (stopping.aborted || error instanceof GracefulShutdownPeriodExpiredError) throw error;
      log.error({ err: error, taskQueue }, 'a worker failed and is made anew');
      await sleep(PAUSE_MS, stopping);
    } finally {
      stopping.removeEventListener('abort', stop);
    }
  }
}
