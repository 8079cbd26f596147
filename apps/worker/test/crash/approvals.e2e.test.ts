import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webhookWorkflowId } from '@everturn/core/protocol';
import { startRecordingServer, waitFor, workspaceRoot } from '@everturn/core/testing';
import { expectSound } from '../support/expect-sound.ts';
import { logLines, resultText } from '../support/log-lines.ts';
import { recordWorkflow } from '../support/record-histories.ts';
import { bash, callsThenDone, scripted } from '../support/model-scripts.ts';
import { startStack, type Stack } from '../support/stack.ts';

const plugin = join(workspaceRoot, 'apps/worker/test/support/asking-plugin.ts');
let stack: Stack;
const worker = {
  EVERTURN_PLUGINS: plugin,
  EVERTURN_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1',
  EVERTURN_WEBHOOK_RETRY_FIRST_MS: '200',
};
beforeAll(async () => void (stack = await startStack({ worker })));
afterAll(() => stack?.stop());

interface Interaction {
  id: string;
  state: string;
}

async function open(session: string): Promise<string> {
  return waitFor(
    async () => {
      const { body } = await stack.api.call<{ interactions: Interaction[] }>(
        'GET',
        `/v1/sessions/${session}/interactions?state=open`,
      );
      return body.interactions[0]?.id;
    },
    { what: `${session} to ask`, timeoutMs: 30_000 },
  );
}

const answer = (session: string, id: string, decision: 'allow' | 'deny') =>
  stack.api.call('POST', `/v1/sessions/${session}/approvals/${id}`, { decision });

async function asking(name: string): Promise<{ session: string; mark: string }> {
  const mark = join(stack.workspace, name);
  const call = bash(`echo x >> ${mark} # please-ask`);
  const session = await stack.api.create(scripted(stack, name, callsThenDone(call)));
  await stack.api.prompt(session, 'go');
  return { session, mark };
}

const approvals = (lines: string[]) => lines.filter((line) => line.startsWith('approval/') || line.startsWith('tool/'));

test('worker and API killed while it asks: the question stands, the call runs once', async () => {
  const { session, mark } = await asking('asked');
  const id = await open(session);
  const { body } = await stack.api.call('GET', `/v1/sessions/${session}`);
  expect(body['status']).toBe('waiting');
  const query = `EverturnStatus = "waiting" and EverturnSession = "${session}"`;
  await waitFor(async () => (await stack.client.workflow.count(query)).count === 1, { what: 'operators to find it' });
  await Promise.all([stack.worker().kill9(), stack.apiProcess().kill9()]);
  await Promise.all([stack.startWorker(), stack.startApi()]);
  expect(await open(session)).toBe(id);
  expect((await answer(session, id, 'allow')).status).toBeLessThan(300);
  const events = await stack.api.turnEnded(session);
  expect(approvals(logLines(events))).toEqual([
    'tool/call call_1_1',
    'approval/asked',
    'approval/decided allowed-once',
    'tool/result call_1_1 ok',
  ]);
  expect(readFileSync(mark, 'utf8')).toBe('x\n');
  await expectSound(stack, session);
});

test('answered while no worker is up: accepted, and applied when one is back', async () => {
  const { session, mark } = await asking('answered-late');
  const id = await open(session);
  await stack.worker().kill9();
  const { status } = await answer(session, id, 'allow');
  expect(status).toBe(202);
  await stack.startWorker();
  await stack.api.turnEnded(session);
  expect(readFileSync(mark, 'utf8')).toBe('x\n');
  await expectSound(stack, session);
});

test('two say yes and one says no at once: one answer wins, the others are told', async () => {
  const { session, mark } = await asking('raced');
  const id = await open(session);
  const answers = await Promise.all([
    answer(session, id, 'allow'),
    answer(session, id, 'allow'),
    answer(session, id, 'deny'),
  ]);
  const won = answers.filter(({ status }) => status < 300);
  expect(won.length).toBe(1);
  expect(answers.filter(({ status }) => status === 409).length).toBe(2);
  const events = await stack.api.turnEnded(session);
  const decided = logLines(events).find((line) => line.startsWith('approval/decided'));
  expect(existsSync(mark)).toBe(decided === 'approval/decided allowed-once');
  await expectSound(stack, session);
});

test('denied by a person, denied by policy, unknown id, cancelled while it asks', async () => {
  const { session } = await asking('denied');
  expect((await answer(session, 'nothing', 'allow')).status).toBe(404);
  await answer(session, await open(session), 'deny');
  const denied = await stack.api.turnEnded(session);
  expect(resultText(denied, 'call_1_1')).toBe('Error: the user rejected tool "bash"');
  await expectSound(stack, session);

  const refused = await stack.api.create(scripted(stack, 'refused', callsThenDone(bash('echo # please-deny'))));
  await stack.api.prompt(refused, 'go');
  expect(resultText(await stack.api.turnEnded(refused), 'call_1_1')).toBe('Error: policy says no');
  await expectSound(stack, refused);

  const { session: cancelled } = await asking('cancelled');
  const id = await open(cancelled);
  await stack.api.call('POST', `/v1/sessions/${cancelled}/cancel`);
  const events = await stack.api.turnEnded(cancelled);
  expect(approvals(logLines(events))).toEqual([
    'tool/call call_1_1',
    'approval/asked',
    'approval/decided cancelled',
    'tool/result call_1_1 ABORTED_BEFORE_DISPATCH',
  ]);
  expect((await answer(cancelled, id, 'allow')).status).toBe(409);
  await expectSound(stack, cancelled);
});

test('one of two calls asks: the other runs once, results keep model order', async () => {
  const mark = join(stack.workspace, 'beside');
  const session = await stack.api.create(
    scripted(stack, 'beside', callsThenDone(bash(`echo x >> ${mark}`), bash('echo asked # please-ask'))),
  );
  await stack.api.prompt(session, 'go');
  const id = await open(session);
  await stack.worker().kill9();
  await stack.startWorker();
  await answer(session, id, 'allow');
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_2')).toBe('asked\n');
  expect(readFileSync(mark, 'utf8')).toBe('x\n');
  await expectSound(stack, session);
});

test('notifications: while the receiver fails, while a worker dies between telling and writing it down, and once more', async () => {
  const receiver = await startRecordingServer();
  const received = () =>
    receiver.requests.map(({ body }) => JSON.parse(body) as { id: string; type: string; data: object });
  try {
    const subscription = { url: `${receiver.url}/`, events: ['approval.asked', 'turn.ended'] };
    const made = await stack.api.call('POST', '/v1/webhooks', subscription);
    expect(made).toMatchObject({
      status: 201,
      body: { ...subscription, enabled: true, secret: expect.stringMatching(/^whsec_/) as string },
    });
    const path = `/v1/webhooks/${String(made.body['id'])}`;
    expect((await stack.api.call('GET', path)).body).not.toHaveProperty('secret');
    const deliveries = async () =>
      (await stack.api.call<{ deliveries: Record<string, unknown>[] }>('GET', `${path}/deliveries`)).body.deliveries;
    const state = (event: string) => async () => (await deliveries()).find((one) => one['event'] === event)?.['state'];

    receiver.answer = (response) => void response.writeHead(503).end();
    const { session } = await asking('told');
    const id = await open(session);
    await waitFor(() => received().length >= 2, { what: 'the question to be told twice' });
    receiver.answer = (response) => void response.writeHead(204).end();
    await waitFor(async () => (await state('approval.asked')()) === 'delivered', { what: 'it to be taken' });
    expect(received()[0]).toMatchObject({ type: 'approval.asked', data: { session, interaction: id, turn: 1 } });

    const held: { writeHead(status: number): { end(): void } }[] = [];
    receiver.answer = (response) => void held.push(response);
    await answer(session, id, 'deny');
    await waitFor(() => held.length > 0, { what: 'the end of the turn to be told' });
    await stack.worker().kill9();
    receiver.answer = (response) => void response.writeHead(204).end();
    await stack.startWorker();
    await waitFor(async () => (await state('turn.ended')()) === 'delivered', { what: 'it to be told again' });
    const ended = received().filter(({ type }) => type === 'turn.ended');
    expect(ended.length).toBeGreaterThan(1);
    expect(new Set(ended.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(ended[0]?.data).toEqual({ session, turn: 1, reason: { kind: 'completed' } });

    const before = received().length;
    const delivery = String((await deliveries()).find(({ event }) => event === 'turn.ended')?.['id']);
    const again = () => stack.api.call('POST', `${path}/deliveries/${delivery}/redeliver`);
    expect((await again()).status).toBe(202);
    await waitFor(() => received().length > before, { what: 'it to be told once more' });
    expect(received().at(-1)?.id).toBe(ended[0]?.id);
    await waitFor(async () => (await state('turn.ended')()) === 'delivered', { what: 'it to be taken once more' });
    receiver.answer = (response) => void response.writeHead(410).end();
    expect((await again()).status).toBe(202);
    await waitFor(async () => (await state('turn.ended')()) === 'failed', { what: 'the receiver to want no more' });
    await recordWorkflow(stack, webhookWorkflowId(delivery, 1), 'webhook.told');
    await recordWorkflow(stack, webhookWorkflowId(delivery, 3), 'webhook.given-up');
    expect((await stack.api.call('PATCH', path, { events: ['none'] })).body).toMatchObject({ code: 'INVALID_REQUEST' });
    expect((await stack.api.call('DELETE', path)).status).toBe(204);
    expect((await again()).body).toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
    await expectSound(stack, session);
  } finally {
    receiver.close();
  }
});
