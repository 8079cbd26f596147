import { makeTelemetryFilterString, Runtime, type Logger as TemporalLogger, type LogLevel } from '@temporalio/worker';
import type { Logger } from 'pino';

export interface InstallRuntimeInput {
  log: Logger;
  /** Where Prometheus metrics are served; absent = nowhere. */
  metricsAddress?: string;
}

/** Installs Temporal's runtime: its logs go to ours, and signals stay ours to handle. Call it before anything else of the SDK. */
export function installRuntime({ log, metricsAddress }: InstallRuntimeInput): void {
  Runtime.install({
    logger: asTemporalLogger(log),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      ...(metricsAddress && { metrics: { prometheus: { bindAddress: metricsAddress } } }),
    },
  });
}

const LEVELS: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

function asTemporalLogger(log: Logger): TemporalLogger {
  const write = (level: LogLevel, message: string, meta?: object) => log[LEVELS[level]](meta ?? {}, message);
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    // The SDK tells of every state of every worker; ours are told once.
    info: (message, meta) => write('DEBUG', message, meta),
    // Only the main queue has workflows; that the others have none is meant.
    warn: (message, meta) => write(message.startsWith('No workflows registered') ? 'DEBUG' : 'WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}
