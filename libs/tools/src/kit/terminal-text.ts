import type { TerminalExit } from './terminals-port.ts';
import { utf8Length, utf8Tail } from './utf8.ts';

const CUT = '\n[output truncated]';

export interface TerminalTextInput {
  /** What was printed; its end is kept. */
  content: string;
  /** What is said about it, each line behind a line break; never cut. */
  about?: string;
  /** UTF-8 bytes of the whole. */
  maxBytes: number;
  /** Something was cut away before. */
  truncated?: boolean;
}

/** A result of bounded size: the end of the content, then what is said about it, then word of the cut. */
export function terminalText({ content, about = '', maxBytes, truncated = false }: TerminalTextInput): string {
  const whole = `${content}${about}${truncated ? CUT : ''}`;
  if (utf8Length(whole) <= maxBytes) return whole;
  return `${utf8Tail(content, Math.max(0, maxBytes - utf8Length(about + CUT)))}${about}${CUT}`;
}

/** `running`, or how a terminal's program ended. */
export const terminalState = (exit: TerminalExit | undefined): string =>
  exit ? `exited code=${exit.code} signal=${exit.signal}` : 'running';
