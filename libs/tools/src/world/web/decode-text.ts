// oxlint-disable-next-line typescript/triple-slash-reference -- the package brings no types
/// <reference path="./html-encoding-sniffer.d.ts" />
import sniffEncoding from 'html-encoding-sniffer';
import type { ContentKind } from './content-kind.ts';

/** The text of a body: byte order mark before header before what the document says of itself; UTF-8 where nobody says. */
export function decodeText(bytes: Uint8Array, { kind, charset }: ContentKind): string {
  return new TextDecoder(encodingOf(bytes, kind, charset)).decode(bytes);
}

function encodingOf(bytes: Uint8Array, kind: ContentKind['kind'], charset: string | undefined): string {
  // Plain text declares nothing inside itself, but its mark counts all the same.
  const declared = kind === 'text' ? (charset ?? 'UTF-8') : charset;
  return sniffEncoding(bytes, {
    xml: kind === 'xml',
    defaultEncoding: 'UTF-8',
    ...(declared !== undefined && { transportLayerEncodingLabel: declared }),
  });
}
