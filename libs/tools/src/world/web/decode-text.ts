// oxlint-disable-next-line typescript/triple-slash-reference -- the package brings no types
/// <reference path="./html-encoding-sniffer.d.ts" />
import sniffEncoding from 'html-encoding-sniffer';
import { isKnown, unsupported, type ContentKind } from './content-kind.ts';

/**
 * The text of a body: byte order mark before header before what the document says of itself; UTF-8 where nobody says.
 * Throws where that is nothing that can be read.
 */
export function decodeText(bytes: Uint8Array, { kind, charset }: ContentKind): string {
  const encoding = encodingOf(bytes, kind, charset);
  if (!isKnown(encoding)) throw unsupported('the charset that it declares is not one that can be read');
  return new TextDecoder(encoding).decode(bytes);
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
