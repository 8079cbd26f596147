import { pino, type DestinationStream, type Logger } from 'pino';
import { loggedError } from './errors/logged-error.ts';

/** The process's logger: JSON lines; what is logged as `err` or `error` shows what it was and no more. */
export function openLogger(level: string, destination: DestinationStream): Logger {
  const shown = (error: unknown) => loggedError(error);
  return pino({ name: 'everturn-api', level, serializers: { err: shown, error: shown } }, destination);
}
