import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Lets Nest speak through our logger: its start-up chatter at debug, its complaints as they are. */
export function nestLogger(logger: Logger): LoggerService {
  const at =
    (level: 'debug' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...details: unknown[]) => {
      logger[level]({ details: details.filter((detail) => typeof detail === 'string') }, String(message));
    };
  return {
    log: at('debug'),
    verbose: at('debug'),
    debug: at('debug'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
}
