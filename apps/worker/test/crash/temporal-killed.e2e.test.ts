import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from '../support/expect-sound.ts';
import { logLines, resultText } from '../support/log-lines.ts';
import { bash, callsThenDone, requestsTo, scripted } from '../support/model-scripts.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack({ own: ['temporal'] })));
afterAll(() => stack?.stop());

async function claimState(session: string, key: string): Promise<string | undefined> {
  const row = await stack.database
    .selectFrom('claims')
    .select('state')
    .where('session_id', '=', session)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.state;
}

test('killed while the model streams and back later: the paid answer is used, not bought again', async () => {
  const options = scripted(stack, 'paid', () => ({ text: ['paid ', 'once'], hold: { gate: 'paid', afterDeltas: 1 } }));
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'go');
  await stack.model.held('paid');
  await stack.temporalServer?.kill9();
  stack.model.release('paid');
  await waitFor(async () => (await claimState(session, 't1.s1.model')) === 'done', {
    what: 'the answer to be recorded',
  });
  await stack.temporalServer?.start();
  const events = await stack.api.turnEnded(session);
  expect(logLines(events)).toEqual([
    'turn/start',
    'user/message',
    'step/start',
    'request/header',
    'assistant/message',
    'step/end',
    'turn/end completed',
  ]);
  expect(requestsTo(stack, 'paid')).toBe(1);
  await expectSound(stack, session);
});

test('worker killed after an outcome is recorded, before Temporal hears of it: returned, not run again', async () => {
  const mark = join(stack.workspace, 'ran');
  const go = join(stack.workspace, 'go');
  const command = `echo x >> ${mark}; while [ ! -e ${go} ]; do sleep 0.05; done; echo recorded`;
  const session = await stack.api.create(scripted(stack, 'recorded', callsThenDone(bash(command, 60_000))));
  await stack.api.prompt(session, 'go');
  await waitFor(() => existsSync(mark), { what: 'bash to run' });
  await stack.temporalServer?.kill9();
  writeFileSync(go, '');
  await waitFor(async () => (await claimState(session, 't1.s1.c0')) === 'done', { what: 'the outcome to be recorded' });
  await stack.worker().kill9();
  await stack.temporalServer?.start();
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toBe('recorded\n');
  expect(readFileSync(mark, 'utf8')).toBe('x\n');
  await expectSound(stack, session);
});
