declare module 'html-encoding-sniffer' {
  /** The name of the encoding by mark, transport label, declaration and default, in this order. */
  export default function sniff(
    bytes: Uint8Array,
    options: { xml?: boolean; transportLayerEncodingLabel?: string; defaultEncoding?: string },
  ): string;
}
