import type { ArgumentsHost } from '@nestjs/common';
import { expect, test } from 'vitest';
import type { SessionId, TenantId } from '@everturn/core/domain';
import { Secret } from '@everturn/core/config';
import { ErrorFilter } from './errors/error.filter.ts';
import { Shutdown } from './shutdown.ts';
import { LogFollower } from './follow/log-follower.ts';
import { openLogger } from './open-logger.ts';

const lines: string[] = [];
const logger = openLogger('warn', { write: (line) => void lines.push(line) });

/** As libraries make them: with all they had in their hands. */
function unexpected(): Error {
  const error = new Error('relation "nothing" does not exist', { cause: new TypeError('x is not a function') });
  const headers = { authorization: 'Bearer evt_hidden' };
  return Object.assign(error, { code: '42P01', detail: 'Failing row (hidden)', headers, key: new Secret('hidden') });
}

test('the log has the text of an unexpected error, its place and its cause, and nothing that hung on it', () => {
  let answered: unknown;
  const reply = { raw: {}, status: () => reply, type: () => reply, send: (body: unknown) => (answered = body) };
  const request = { id: 'r1', routeOptions: { url: '/v1/sessions' } };
  const host = { switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }) };
  new ErrorFilter(logger).catch(unexpected(), host as unknown as ArgumentsHost);
  const [line = ''] = lines.splice(0);
  expect(JSON.parse(line)).toMatchObject({
    request: 'r1',
    err: {
      type: 'Error',
      code: '42P01',
      message: 'relation "nothing" does not exist',
      stack: expect.stringContaining('open-logger.test.ts'),
      cause: { type: 'TypeError', message: 'x is not a function' },
    },
  });
  expect(line).not.toMatch(/hidden/);
  expect(JSON.stringify(answered)).not.toContain('relation');
});

test('so does a reader of logs that fails', async () => {
  const fails = () => Promise.reject(unexpected());
  const follower = new LogFollower(
    { head: async () => 0, marks: async () => new Map(), rows: fails, view: async () => undefined },
    logger,
    new Shutdown(),
  );
  await follower.withTail({ tenant: 'acme' as TenantId, session: 's1' as SessionId }, async (tail) => {
    await tail.ring();
    await tail.refresh();
  });
  follower.onApplicationShutdown();
  expect(JSON.parse(lines.splice(0)[0] ?? '')).toMatchObject({ err: { message: 'relation "nothing" does not exist' } });
});
