import { flushCompileCache } from 'node:module';
import { ConfigError, workerConfig } from '@everturn/core/config';
import { isLlmError } from '@everturn/core/domain';
import { PluginError } from '../plugins/index.ts';
import { installRuntime } from './install-runtime.ts';
import { openLogger } from './open-logger.ts';
import { runWorker } from './run-worker.ts';
import { WorkerError } from './worker-error.ts';

/** Runs the worker as a process: configuration, signals, ready line, exit status. */
export async function startWorkerProcess(): Promise<void> {
  const config = configOrExit();
  const log = openLogger(config.logLevel);
  installRuntime({ log, ...(config.metricsAddress && { metricsAddress: config.metricsAddress }) });
  const stopping = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(1); // asked twice: no more grace
      log.info({ signal: name, graceMs: config.shutdownGraceMs }, 'stopping');
      stopping.abort();
    });
  }
  // A plugin's forgotten promise must not end everyone's sessions.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise nobody waited for failed'));
  try {
    await runWorker({ config, log, stopping, onReady });
    if (stopping.signal.reason instanceof WorkerError) throw stopping.signal.reason;
    log.info('stopped');
    process.exit(0);
  } catch (error) {
    if (isOrderlyStop(error, stopping.signal)) process.exit(0);
    explain(error, log);
    process.exit(1);
  }
}

function onReady(told: Record<string, unknown>): void {
  // A process that is killed could not do it at its end; nothing where no cache is kept.
  flushCompileCache();
  process.stdout.write(`${JSON.stringify({ ready: true, pid: process.pid, ...told })}\n`);
}

function configOrExit(): ReturnType<typeof workerConfig> {
  try {
    return workerConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Stopped while it still waited for a server. */
function isOrderlyStop(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error === signal.reason && !(error instanceof WorkerError);
}

/** What people can mend is said in a sentence; the rest with its stack. */
function explain(error: unknown, log: ReturnType<typeof openLogger>): void {
  const known = error instanceof WorkerError || error instanceof PluginError || isLlmError(error);
  if (known) log.fatal(error.message);
  else log.fatal({ err: error }, 'the worker failed');
}
