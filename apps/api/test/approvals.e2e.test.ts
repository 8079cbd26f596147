import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor, workspaceRoot } from '@everturn/core/testing';
import { bash, callsThenDone, scripted } from '../../worker/test/support/model-scripts.ts';
import { startStack, type Stack } from '../../worker/test/support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  const plugin = join(workspaceRoot, 'apps/worker/test/support/asking-plugin.ts');
  stack = await startStack({ worker: { EVERTURN_PLUGINS: plugin } });
});
afterAll(() => stack?.stop());

interface Listed {
  interactions: { id: string; state: string; kind: string; request: unknown; outcome?: unknown }[];
}

const path = (session: string, rest: string) => `/v1/sessions/${session}${rest}`;
const open = async (session: string) => {
  const { body } = await stack.api.call<Listed>('GET', path(session, '/interactions?state=open'));
  return body.interactions;
};

/** A session that waits for a person, and the id of what it asks. */
async function waiting(name: string, command: string): Promise<{ session: string; id: string }> {
  const session = await stack.api.create({ ...scripted(stack, name, callsThenDone(bash(command))), prompt: 'go' });
  const [asked] = await waitFor(async () => (await open(session)).length === 1 && open(session), {
    what: 'the question',
  });
  expect(asked).toMatchObject({ kind: 'approval', state: 'open' });
  return { session, id: asked?.id ?? '' };
}

const decide = (session: string, id: string, decision: string) =>
  stack.api.call('POST', path(session, `/approvals/${id}`), { decision });

test('two allow and one denies in the same moment: one answer wins, the others are told', async () => {
  const { session, id } = await waiting('contested', 'echo please-ask >> asked.log; cat asked.log');
  const answers = await Promise.all(['allow', 'deny', 'allow'].map((decision) => decide(session, id, decision)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409, 409]);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused.map(({ body }) => body['code'])).toEqual(['ALREADY_ANSWERED', 'ALREADY_ANSWERED']);
  const events = await stack.api.turnEnded(session);
  const allowed = answers.findIndex(({ status }) => status === 202) !== 1;
  const decided = events.find(({ type }) => type === 'approval/decided');
  expect(decided).toMatchObject({ data: { outcome: allowed ? 'allowed-once' : 'rejected' } });
  const result = events.find(({ type }) => type === 'tool/result');
  expect(result).toMatchObject({ data: { isError: !allowed } });
  expect(await open(session)).toEqual([]);
  const late = await decide(session, id, 'allow');
  expect([late.status, late.body['code']]).toEqual([409, 'ALREADY_ANSWERED']);
});

test('an answer whose receipt was lost is sent again with its key and answered like the first time', async () => {
  const { session, id } = await waiting('lost-receipt', 'echo please-ask');
  const key = { 'idempotency-key': 'the-same' };
  const send = (decision: string) => stack.api.call('POST', path(session, `/approvals/${id}`), { decision }, key);
  const first = await send('allow');
  await stack.api.turnEnded(session);
  // As if the API had died between delivering the answer and noting so.
  await stack.database.deleteFrom('requests').where('request_id', '=', String(first.body['requestId'])).execute();
  expect(await send('allow')).toMatchObject({ status: 202, body: first.body });
  expect(await send('deny')).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
});

test('an answer given while no worker lives is applied when one is back', { timeout: 180_000 }, async () => {
  const { session, id } = await waiting('patient', 'echo please-ask');
  await stack.worker().kill9();
  const answer = await decide(session, id, 'allow');
  expect([answer.status, answer.body]).toEqual([202, { requestId: answer.body['requestId'], accepted: 'queued' }]);
  const pending = await stack.api.call('GET', path(session, `/requests/${String(answer.body['requestId'])}`));
  expect(pending.body).toMatchObject({ kind: 'answer', outcome: 'pending' });
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(events.find(({ type }) => type === 'approval/decided')).toMatchObject({ data: { outcome: 'allowed-once' } });
});
