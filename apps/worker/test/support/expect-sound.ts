import { randomUUID } from 'node:crypto';
import { checkLog, type SessionEvent, type SessionId } from '@everturn/core/domain';
import { readProjections, type SessionProjections } from '@everturn/core/postgres';
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
  const told = await readProjections(stack.database, input);
  // An errand of the session may have written meanwhile.
  if (told?.asOfSeq === events.length - 1) expect(told.stats).toEqual(countsOf(events));
  return report;
}

/** What the log's head has counted, counted again. */
function countsOf(events: readonly SessionEvent[]): SessionProjections['stats'] {
  const count = (...types: string[]) => events.filter(({ type }) => types.includes(type));
  const appended = (...types: string[]) => count(...types).filter(({ surfaceOp }) => surfaceOp === 'append');
  return {
    turns: count('turn/start').length,
    steps: count('step/start').length,
    messages: appended('user/message', 'steering/message').length,
    toolCalls: count('tool/call').length,
    failedCalls: appended('tool/result').filter((event) => event.type === 'tool/result' && event.data.isError).length,
    summaries: count('compact/summary').length,
  };
}
