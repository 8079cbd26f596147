import type { WriteStream } from 'node:tty';
import pc from 'picocolors';

/** Colors and weights, or none of them. */
export type Style = ReturnType<typeof pc.createColors>;

/** Styles for a stream: none where it is no terminal, or where NO_COLOR asks for none. */
export function styleFor(stream: Pick<WriteStream, 'isTTY'> & Partial<Pick<WriteStream, 'hasColors'>>): Style {
  // Anything but false would let picocolors decide, which takes a CI for a terminal.
  return pc.createColors(stream.isTTY ? (stream.hasColors?.() ?? false) : false);
}

/** No styles at all. */
export const plain: Style = pc.createColors(false);
