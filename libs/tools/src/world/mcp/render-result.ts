import { text, type ContentBlock, type ImageMediaType } from '@everturn/core/domain';

/** A block of a server's answer as it came. */
export type McpBlock = { readonly type: string; readonly [member: string]: unknown };

/** Keeps a batch of images: all of it, or throws. */
export type SaveImages = (images: readonly McpImage[]) => Promise<ContentBlock[]>;

export interface McpImage {
  bytes: Uint8Array;
  mediaType: ImageMediaType;
}

const IMAGE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
] satisfies ImageMediaType[];

/** What a model sees of an answer. Images are shown all or none, and never half a batch. */
export async function renderResult(
  raw: string,
  content: readonly McpBlock[],
  images: SaveImages | { reason: string },
): Promise<ContentBlock[]> {
  const batch = await admitted(content, images);
  const rendered: ContentBlock[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) rendered.push(text(lines.join('\n')));
    lines = [];
  };
  let image = 0;
  for (const block of content) {
    if (block.type !== 'image') lines.push(lineOf(block));
    else if (batch.kind === 'refused') lines.push(unavailable(block, batch.reason));
    else {
      flush();
      rendered.push(batch.blocks[image] as ContentBlock);
      image += 1;
    }
  }
  flush();
  const empty = rendered.every((block) => block.type === 'text' && block.text.trim() === '');
  return empty ? [text(`(${raw} returned no model-visible content)`)] : rendered;
}

function lineOf(block: McpBlock): string {
  switch (block.type) {
    case 'text':
      return stringOf(block['text']);
    case 'resource_link':
      return `Resource link: ${stringOf(block['name'])} (${stringOf(block['uri'])})`;
    case 'audio':
      return `[audio: ${oneLine(block['mimeType'])}; raw audio data remains available to programmatic callers]`;
    case 'resource': {
      const { resource } = block;
      const uri = typeof resource === 'object' && resource !== null && 'uri' in resource ? resource.uri : undefined;
      return `[embedded resource: ${oneLine(uri)}; its contents remain available to programmatic callers]`;
    }
    default:
      return `[content of the unknown type ${oneLine(block.type)}; raw value remains available to programmatic callers]`;
  }
}

type Admitted = { kind: 'admitted'; blocks: ContentBlock[] } | { kind: 'refused'; reason: string };

async function admitted(content: readonly McpBlock[], save: SaveImages | { reason: string }): Promise<Admitted> {
  const images = content.filter(({ type }) => type === 'image');
  if (images.length === 0) return { kind: 'admitted', blocks: [] };
  if (typeof save !== 'function') return { kind: 'refused', reason: save.reason };
  const batch = images.map((block) => decode(block));
  const wrong = batch.find((image) => typeof image === 'string');
  if (typeof wrong === 'string') return { kind: 'refused', reason: wrong };
  try {
    return { kind: 'admitted', blocks: await save(batch as McpImage[]) };
  } catch (error) {
    return { kind: 'refused', reason: oneLine(error instanceof Error ? error.message : String(error)) };
  }
}

function decode({ data, mimeType }: McpBlock): McpImage | string {
  if (typeof mimeType !== 'string' || !IMAGE_TYPES.includes(mimeType)) return 'not a PNG, JPEG, WebP or GIF';
  if (typeof data !== 'string') return 'no data';
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== data) return 'malformed base64';
  return { bytes, mediaType: mimeType as ImageMediaType };
}

const unavailable = ({ mimeType }: McpBlock, reason: string) =>
  `[image unavailable: ${oneLine(mimeType)}; ${reason}; raw image data remains available to programmatic callers]`;

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const oneLine = (value: unknown): string =>
  (typeof value === 'string' && value !== '' ? value : 'unknown').replaceAll(/\s+/gu, ' ').slice(0, 200);
