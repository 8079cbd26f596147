import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { resultText } from './support/log-lines.ts';
import { bash, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const subagent = (description: string, prompt: string) => ({ name: 'subagent', arguments: { description, prompt } });

const otherOf = (job: string) => (job === 'subagent-1' ? 'subagent-2' : 'subagent-1');

test('agents in the background are jobs: one ends by itself, one is killed, and what it said can be read again', async () => {
  const go = join(stack.workspace, 'go-background');
  const inBackground = (description: string, prompt: string) => {
    const call = subagent(description, prompt);
    return { ...call, arguments: { ...call.arguments, run_in_background: true } };
  };
  const options = scripted(stack, 'background-agents', (request) => {
    const prompt = JSON.stringify(request.messages.find(({ role }) => role === 'user')?.content ?? '');
    const last = JSON.stringify(request.messages.at(-1)?.content ?? '');
    if (prompt.includes('sleep on')) return { toolCalls: [bash('sleep 600')] };
    if (prompt.includes('look at it'))
      return last.includes('went')
        ? { text: 'found it' }
        : { toolCalls: [bash(`while [ ! -e ${go} ]; do sleep 0.1; done; echo went`)] };
    if (last.includes('begin'))
      return { toolCalls: [inBackground('Look', 'look at it'), inBackground('Sleep', 'sleep on')] };
    // Calls of one batch begin beside one another: which is the first job is not said.
    const [, look] = /(subagent-[12]) \(subagent: Look\) finished/.exec(last) ?? [];
    if (look !== undefined) {
      const read = { name: 'job_output', arguments: { job_id: look } };
      return { toolCalls: [read, read, { name: 'job_kill', arguments: { job_id: otherOf(look) } }] };
    }
    return { text: 'noted' };
  });
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'begin');
  let events = await stack.api.turnEnded(session);
  const started = ['call_1_1', 'call_1_2'].map((call) => resultText(events, call));
  expect(started.toSorted()).toEqual([
    'started background subagent job subagent-1',
    'started background subagent job subagent-2',
  ]);
  const sleeping = started[1]?.split(' ').at(-1);
  writeFileSync(go, '');
  events = await stack.api.turnEnded(session, 2);
  const said = 'found it\n[status: completed]';
  expect(['call_3_1', 'call_3_2'].map((call) => resultText(events, call))).toEqual([said, said]);
  const jobs = () => stack.api.call<{ jobs: Record<string, unknown>[] }>('GET', `/v1/sessions/${session}/jobs`);
  const killed = await waitFor(
    async () => (await jobs()).body.jobs.find(({ id, state }) => id === sleeping && state === 'killed'),
    { what: 'the job to be killed' },
  );
  expect(killed).toMatchObject({ kind: 'subagent', label: 'Sleep', detail: 'background subagent task killed' });
  const children = (
    await stack.api.call<{ sessions: { id: string; status: string }[] }>('GET', `/v1/sessions?parent=${session}`)
  ).body.sessions;
  expect(children.map(({ status }) => status)).toEqual(['closed', 'closed']);
  for (const { id } of [...children, { id: session }]) await expectSound(stack, id);
});
