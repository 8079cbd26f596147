const BOM = '\uFEFF';
const SAMPLE_CHARACTERS = 4096;

/** A text as editors see it, and what to put back when it is written. */
export interface NormalisedText {
  text: string;
  bom: boolean;
  lineEnd: '\n' | '\r\n';
}

/** Takes off the byte order mark and makes all line ends LF; the majority at the beginning decides what comes back. */
export function normalise(raw: string): NormalisedText {
  const bom = raw.startsWith(BOM);
  const body = bom ? raw.slice(1) : raw;
  const sample = body.slice(0, SAMPLE_CHARACTERS);
  const crlf = sample.split('\r\n').length - 1;
  const lf = sample.split('\n').length - 1 - crlf;
  return { text: body.replaceAll('\r\n', '\n'), bom, lineEnd: crlf > lf ? '\r\n' : '\n' };
}

/** Takes off the byte order mark and nothing else. */
export function asItStands(raw: string): NormalisedText {
  const bom = raw.startsWith(BOM);
  return { text: bom ? raw.slice(1) : raw, bom, lineEnd: '\n' };
}

/** The inverse of {@link normalise} for a text that may have changed. */
export function restore({ text, bom, lineEnd }: NormalisedText): string {
  const body = lineEnd === '\r\n' ? text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n') : text;
  return bom ? BOM + body : body;
}
