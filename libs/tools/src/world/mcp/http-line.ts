import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { boundedFetch } from './bounded-fetch.ts';
import type { Line } from './connection.ts';
import { MAX_MESSAGE_BYTES, tooLong } from './message-reader.ts';
import { revealAll } from './redact.ts';
import type { McpServerOptions } from './server-options.ts';

type Http = Extract<McpServerOptions['transport'], { kind: 'streamable-http' }>;

/** Speaks streamable HTTP to a server. What was configured is trusted: its address may be a private one. */
export function httpLine({ url, headers }: Http, maxBytes = MAX_MESSAGE_BYTES): Line {
  const address = new URL(url.reveal());
  const sent = revealAll(headers);
  const { username, password } = address;
  if (username !== '' || password !== '') {
    address.username = '';
    address.password = '';
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    sent['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  let end = 'the connection was closed';
  const onEventTooLong = () => {
    end = tooLong(maxBytes);
    void transport.close(); // the SDK would leave the request waiting
  };
  const transport = new StreamableHTTPClientTransport(address, {
    requestInit: { headers: sent },
    fetch: boundedFetch({ maxBytes, onEventTooLong }),
  });
  return Object.assign(transport, { epitaph: () => end });
}

/** How servers that do not say 404 tell that a session of the protocol, not one of their tool's, is unknown. */
const NO_SESSION = /\bmcp-session-id\b|\b(?:no |not a |in)?valid session id\b|\bmissing session id\b/i;

/** The server does not know our session any more, so it has not looked at the request. */
export const isForgotten = (error: unknown): boolean =>
  error instanceof StreamableHTTPError &&
  (error.code === 404 || (error.code === 400 && NO_SESSION.test(error.message)));

/** The server cannot be reached, or its stream broke for good. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    (error instanceof TypeError && error.message === 'fetch failed') ||
    /Maximum reconnection attempts|SSE stream disconnected/.test(error.message)
  );
}

/** Nobody listens there, so nothing was sent. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED';
