import { randomUUID } from 'node:crypto';
import { checkLog, type SessionId } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import { expect } from 'vitest';
import { openProjection, verify, type VerifyReport } from '../../src/projection/index.ts';
import type { Stack } from './stack.ts';

/** Compares a session's log with its histories and with its own rules; what does not hold fails the test by name. */
export async function expectSound(stack: Stack, session: string): Promise<VerifyReport> {
  const projection = openProjection({ database: stack.database, owner: `test-${randomUUID()}` });
  const input = { tenant: stack.tenant, session: session as SessionId };
  await waitFor(async () => (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'] !== 'running', {
    what: `${session} to come to rest`,
    timeoutMs: 30_000,
  });
  const report = await verify(projection, { client: stack.client.workflow }, input);
  expect(report.problems).toEqual([]);
  const events = await stack.api.events(session);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(checkLog({ events })).toEqual([]);
  return report;
}
