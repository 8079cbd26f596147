import { expect, test } from 'vitest';
import type { ToolRunContext } from '../tool-context.ts';
import { ToolError } from '../tool-error.ts';
import { instantOf, refuseEmpty, useSessions } from './use-sessions.ts';

const context = (sessions?: object) => ({ ...(sessions && { sessions }) }) as ToolRunContext;
const failing = (error: Error) =>
  useSessions(context({}), async () => {
    throw error;
  });

test('what the caller can mend is told as it is; of anything else only that it went wrong', async () => {
  const known = new ToolError('SESSION_QUERY_SESSION_NOT_FOUND', 'there is no session x');
  await expect(failing(known)).rejects.toBe(known);
  await expect(failing(new Error('relation "secret" does not exist'))).rejects.toMatchObject({
    code: 'SESSION_QUERY_TOOL_FAILED',
    message: 'the sessions could not be asked; try again',
  });
  await expect(useSessions(context(), async () => 'answered')).rejects.toMatchObject({
    code: 'SESSION_QUERY_TOOL_MISSING_AGENT',
  });
});

test('moments need an offset, lists an entry', () => {
  expect(instantOf('t', undefined)).toBeUndefined();
  expect([instantOf('t', '1970-01-01T00:00:01Z'), instantOf('t', '1970-01-01T02:00:00+02:00')]).toEqual([1_000, 0]);
  for (const wrong of ['2026-01-01T00:00:00', '2026-01-01', 'yesterdayZ', ''])
    expect(() => instantOf('created_at_from', wrong)).toThrow('"created_at_from" must be a time with Z or an offset');
  refuseEmpty({ a: undefined, b: ['x'] });
  expect(() => refuseEmpty({ event_types: [] })).toThrow('"event_types" is empty; leave it out');
});
