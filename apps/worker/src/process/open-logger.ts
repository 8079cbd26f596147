import { destination, pino, type Logger } from 'pino';

/** The process's logger: JSON lines on stderr, since stdout carries the ready line only. */
export function openLogger(level: string): Logger {
  return pino({ name: 'worker', level, redact: ['*.apiKey', '*.password', '*.authorization'] }, destination(2));
}
