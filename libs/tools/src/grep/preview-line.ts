import { headBytes, tailBytes } from '../kit/index.ts';

const SUFFIX = ' (line truncated)';
const CUT_IN_FRONT = '… ';
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export interface PreviewLineInput {
  text: string;
  /** Where the match lies, in UTF-8 bytes. */
  start: number;
  end: number;
  maxBytes: number;
}

/** At most `maxBytes` bytes of a line, no character split: its beginning when the match lies there, else the match's surroundings. */
export function previewLine({ text, start, end, maxBytes }: PreviewLineInput): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  if (end <= maxBytes) return decoder.decode(headBytes(bytes, maxBytes)) + SUFFIX;
  const before = Math.max(0, Math.floor((maxBytes - Math.min(end - start, maxBytes)) / 2));
  const from = Math.max(0, Math.min(start - before, bytes.length - maxBytes));
  // The tail from there begins at a character, and so its head is whole at both ends.
  const rest = tailBytes(bytes, bytes.length - from);
  const to = from + maxBytes;
  const window = decoder.decode(headBytes(rest, to - (bytes.length - rest.length)));
  return `${from > 0 ? CUT_IN_FRONT : ''}${window}${SUFFIX}`;
}
