import { MIMEType } from 'node:util';
import { ToolError } from '../../kit/index.ts';

/** How the body of a page is read. */
export interface ContentKind {
  kind: 'html' | 'xml' | 'text';
  /** A label that `TextDecoder` knows. */
  charset: string | undefined;
}

/** What a `Content-Type` header promises; throws for what is no text or is written in an unknown way. */
export function contentKind(header: string | null): ContentKind {
  const type = header === null ? undefined : parse(header);
  if (!type) throw unsupported(header === null ? 'it names no content type' : `"${header}" is no content type`);
  const kind = kindOf(type.essence);
  if (!kind) throw unsupported(`it is ${type.essence}, and only text, HTML, JSON and XML can be read`);
  const charset = type.params.get('charset') ?? undefined;
  if (charset !== undefined && !isKnown(charset)) throw unsupported(`its charset "${charset}" is unknown`);
  return { kind, charset };
}

function kindOf(essence: string): ContentKind['kind'] | undefined {
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return 'html';
  if (essence === 'application/xml' || essence === 'text/xml' || essence.endsWith('+xml')) return 'xml';
  if (essence.startsWith('text/') || essence === 'application/json' || essence.endsWith('+json')) return 'text';
  return undefined;
}

function parse(header: string): MIMEType | undefined {
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}

/** Whether `TextDecoder` reads it; some that may not be read any more have a name all the same. */
export function isKnown(charset: string): boolean {
  try {
    return Boolean(new TextDecoder(charset));
  } catch {
    return false;
  }
}

/** A page that is there and that nobody here can read. */
export const unsupported = (why: string): ToolError =>
  new ToolError('WEB_UNSUPPORTED_CONTENT_TYPE', `the page cannot be read: ${why}`);
