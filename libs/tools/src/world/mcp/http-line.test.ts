import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { isForgotten } from './http-line.ts';

test.each<[number, string, boolean]>([
  [404, 'Session not found', true],
  [
    400,
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}',
    true,
  ],
  [400, 'Bad Request: Mcp-Session-Id header is required', true],
  [400, '{"error":"checkout session cs_1 was created, its webhook failed"}', false],
  [500, 'Mcp-Session-Id', false],
])('an answer of %i "%s": not looked at: %s', (status, body, forgotten) => {
  expect(isForgotten(new StreamableHTTPError(status, `Error POSTing to endpoint: ${body}`))).toBe(forgotten);
});
