/** Sent as a comment: keeps proxies from closing a quiet stream and takes no event id. */
export const HEARTBEAT = ': heartbeat\n\n';

interface FrameInput {
  /** Becomes the client's `Last-Event-ID`; absent on frames that are not part of what can be resumed. */
  id?: string;
  event: string;
  /** JSON text, which therefore holds no raw CR or LF. */
  json: string;
}

/**
 * Renders one server-sent event. JSON escapes CR and LF, so no text can end a line early; the other characters that
 * some readers break lines at are escaped as well, which leaves the JSON value the same.
 */
export function frame({ id, event, json }: FrameInput): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${event}\ndata: ${json.replaceAll(OTHER_LINE_BREAKS, escape)}\n\n`;
}

/** Raw line breaks cannot stand inside JSON strings, so replacing all of them never changes a value. */
const OTHER_LINE_BREAKS = /[\r\n\v\f\u0085\u2028\u2029]/g;

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
