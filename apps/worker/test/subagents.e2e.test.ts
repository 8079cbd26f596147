import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { openProjection } from '../src/projection/index.ts';
import { expectRebuilt } from './support/expect-rebuilt.ts';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, callsThenDone, requestsTo, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const subagent = (description: string, prompt: string) => ({ name: 'subagent', arguments: { description, prompt } });

type Script = (prompt: string, answered: boolean) => ScriptAnswer;

/** A lead whose model makes these calls and then says `done`; its children, of the same model, follow a script. */
async function lead(name: string, calls: ScriptAnswer['toolCalls'], child: Script): Promise<string> {
  const own = callsThenDone(...(calls ?? []));
  const options = scripted(stack, name, (request) => {
    const first = request.messages.find(({ role }) => role === 'user');
    const prompt = JSON.stringify(first?.content ?? '');
    if (prompt.includes('lead the work')) return own(request);
    return child(
      prompt,
      request.messages.some(({ role }) => role === 'assistant'),
    );
  });
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'lead the work');
  return session;
}

interface Tree {
  nodes: { id: string; usage: Record<string, number> }[];
  usage: Record<string, number>;
}
interface Child {
  id: string;
  status: string;
  preview: string;
}

async function childrenOf(session: string): Promise<Child[]> {
  const { body } = await stack.api.call<{ sessions: Child[] }>('GET', `/v1/sessions?parent=${session}`);
  return body.sessions;
}

/** The only child, once it is there. */
const onlyChild = (session: string) =>
  waitFor(async () => (await childrenOf(session))[0]?.id, { what: `a child of ${session}` });

test.concurrent('a task runs in a session of its own, and its last words are the result', async () => {
  const session = await lead(
    'one',
    [subagent('Look', 'look at it'), subagent('Look again', 'look elsewhere')],
    (prompt) => ({
      text: prompt.includes('elsewhere') ? 'nothing there' : 'found it',
    }),
  );
  const events = await stack.api.turnEnded(session);
  expect([resultText(events, 'call_1_1'), resultText(events, 'call_1_2')]).toEqual(['found it', 'nothing there']);
  const children = await childrenOf(session);
  expect(children.map(({ status }) => status)).toEqual(['closed', 'closed']);
  for (const { id } of children) {
    const log = await stack.api.events(id);
    expect(log.slice(0, 5).map(({ type, data }) => [type, data])).toEqual([
      ['turn/start', expect.objectContaining({ trigger: expect.objectContaining({ kind: 'message' }) })],
      ['sandbox/mode', { mode: 'workspace-write', source: 'delegation' }],
      ['approval/policy', { policy: 'never', source: 'delegation' }],
      [
        'subagent/descriptor',
        { version: 2, mode: 'one-shot', provider: 'spawn', label: expect.stringMatching('Look') },
      ],
      ['user/message', expect.objectContaining({ source: expect.objectContaining({ senderSessionId: session }) })],
    ]);
    const header = log.find((event) => event.type === 'request/header');
    expect(JSON.stringify(header?.data)).toContain('You work for another agent');
    await expectSound(stack, id);
  }
  await expectSound(stack, session);
});

test.concurrent('a child that fails, one out of tokens, and one too deep', async () => {
  const session = await lead(
    'ends',
    [subagent('Fail', 'please fail'), subagent('Overflow', 'talk on'), subagent('Dig', 'dig at level 1')],
    (prompt, answered) => {
      if (prompt.includes('please fail')) return { fault: { kind: 'status', status: 400, message: 'no such thing' } };
      if (prompt.includes('talk on')) return { text: 'half of', finish: 'length' };
      const level = Number(/level (\d)/.exec(prompt)?.[1]);
      if (answered) return { text: `level ${level} is done` };
      return { toolCalls: [subagent('Dig', `dig at level ${level + 1}`)] };
    },
  );
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toMatch(/^Error: subagent run failed\nDiagnostic: .*no such thing/);
  expect(resultText(events, 'call_1_2')).toBe(
    'Error: subagent run hit its token limit before finishing\nPartial output before the run ended:\nhalf of',
  );
  expect(resultText(events, 'call_1_3')).toBe('level 1 is done');
  let deepest = session;
  for (let level = 1; level <= 3; level += 1)
    deepest = (await childrenOf(deepest)).find(({ preview }) => preview === 'Dig')?.id ?? '';
  const refused = await stack.api.events(deepest);
  expect(logLines(refused)).toContain('tool/result call_1_1 DELEGATION_DEPTH');
  expect(resultText(refused, 'call_1_1')).toMatch(/depth 4 .* 3/);
});

test.concurrent('a cancel of the parent ends the children of its turn', async () => {
  const session = await lead('cancelled', [subagent('Sleep', 'sleep on')], () => ({ toolCalls: [bash('sleep 600')] }));
  const child = await onlyChild(session);
  await stack.api.until(child, 'its call', (events) => events.some(({ type }) => type === 'tool/call'));
  await stack.api.call('POST', `/v1/sessions/${session}/cancel`, {});
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toBe('Error: subagent run was cancelled');
  expect(logLines(events).at(-1)).toBe('turn/end aborted');
  const log = await stack.api.turnEnded(child);
  expect(logLines(log).at(-1)).toBe('turn/end aborted');
  expect((await childrenOf(session)).map(({ status }) => status)).toEqual(['closed']);
  await expectSound(stack, child);
});

test.concurrent('a fork begins with the finished turns of another session, and so does a child that is one', async () => {
  const options = scripted(stack, 'forked', (request) => {
    const all = JSON.stringify(request.messages);
    if (all.includes('what do you know'))
      return { text: `alpha ${all.includes('alpha')}, beta ${all.includes('delegate beta')}` };
    const last = JSON.stringify(request.messages.at(-1)?.content);
    if (!last.includes('delegate beta')) return { text: 'noted' };
    return {
      toolCalls: [{ name: 'subagent_fork', arguments: { description: 'Recall', prompt: 'what do you know?' } }],
    };
  });
  const session = await stack.api.create(options);
  const early = await stack.api.call('POST', `/v1/sessions/${session}/fork`, {});
  expect([early.status, early.body['code']]).toEqual([409, 'NO_BOUNDARY']);
  await stack.api.prompt(session, 'alpha');
  const first = (await stack.api.turnEnded(session)).length;
  await stack.api.prompt(session, 'delegate beta');
  const events = await stack.api.turnEnded(session, 2);
  expect(resultText(events, 'call_2_1')).toBe('alpha true, beta false');
  const child = await onlyChild(session);
  const { body: tree } = await stack.api.call<Tree>('GET', `/v1/sessions/${session}/tree`);
  expect(tree.nodes).toMatchObject([
    { id: session, depth: 0, kind: 'session' },
    { id: child, parent: session, depth: 1, kind: 'subagent', mode: 'one-shot', label: 'Recall', status: 'closed' },
  ]);
  const of = (name: string) => tree.nodes.map(({ usage }) => usage[name] ?? 0).reduce((a, b) => a + b);
  expect(tree.nodes.every(({ usage }) => (usage['steps'] ?? 0) > 0)).toBe(true);
  expect([tree.usage['steps'], tree.usage['outputTokens']]).toEqual([of('steps'), of('outputTokens')]);
  const { body: children } = await stack.api.call<{ sessions: object[] }>('GET', `/v1/sessions/${session}/children`);
  expect(children.sessions).toMatchObject([{ id: child, parent: session }]);

  const { status, body } = await stack.api.call('POST', `/v1/sessions/${session}/fork`, { atSeq: 3 });
  expect(status).toBe(201);
  const fork = String(body['id']);
  await stack.api.prompt(fork, 'what do you know?');
  const log = await stack.api.turnEnded(fork, 2);
  const { body: below } = await stack.api.call<Tree>('GET', `/v1/sessions/${fork}/tree`);
  expect(below.nodes.map(({ id }) => id)).toEqual([fork]);
  expect(log.slice(0, first)).toEqual(events.slice(0, first));
  expect(JSON.stringify(log.at(-3)?.data)).toContain('alpha true, beta false');
  for (const id of [child, fork, session]) await expectSound(stack, id);
  const stop = await stack.api.call('POST', `/v1/sessions/${session}/tree/cancel`, {});
  expect([stop.status, stop.body]).toEqual([202, { cancelled: [session, fork] }]);
  await expectRebuilt(stack, openProjection({ database: stack.database, owner: 'test-rebuild' }), fork, {
    copied: events.slice(0, first).filter(({ type }) => type !== 'assistant/chunk').length,
  });
});

test('killed while a child runs, and again before its parent has the result: the child ran once', async () => {
  const [mark, go] = [join(stack.workspace, 'mark'), join(stack.workspace, 'go')];
  const session = await lead('killed', [subagent('Mark', 'leave a mark')], (_prompt, answered) =>
    answered
      ? { text: 'marked', chunkDelayMs: 200 }
      : { toolCalls: [bash(`echo x >> ${mark}`), bash(`while [ ! -e ${go} ]; do sleep 0.05; done`)] },
  );
  await waitFor(() => existsSync(mark), { what: 'the mark' });
  const child = await onlyChild(session);
  await stack.worker().kill9();
  writeFileSync(go, '');
  await stack.startWorker();
  await stack.api.turnEnded(child);
  await stack.worker().kill9();
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toBe('marked');
  expect(readFileSync(mark, 'utf8')).toBe('x\n');
  expect(await childrenOf(session)).toHaveLength(1);
  expect(requestsTo(stack, 'killed')).toBeLessThanOrEqual(5);
  await expectSound(stack, child);
  await expectSound(stack, session);
});
