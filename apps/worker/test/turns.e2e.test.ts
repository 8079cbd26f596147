import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

describe.each(['child', 'inline'])('with steps %s', (isolation) => {
  let stack: Stack;
  // A child is what everybody has.
  const options = isolation === 'child' ? undefined : { worker: { EVERTURN_STEP_ISOLATION: isolation } };
  beforeAll(async () => void (stack = await startStack(options)));
  afterAll(() => stack?.stop());

  const post = (session: string, what: string, body?: unknown) =>
    stack.api.call('POST', `/v1/sessions/${session}/${what}`, body);
  const held = (gate: string, text = ['held ', 'answer']) => ({ text, hold: { gate, afterDeltas: 1 } });

  test.concurrent('steering during a model call is read by the next step', async () => {
    const session = await stack.api.create(
      scripted(stack, 'steered', (request) => (request.lastUser === 'left' ? { text: 'going left' } : held('steered'))),
    );
    await stack.api.prompt(session, 'go');
    await stack.model.held('steered');
    await stack.api.prompt(session, 'left', { mode: 'steer' });
    stack.model.release('steered');
    expect(logLines(await stack.api.turnEnded(session))).toEqual([
      'turn/start',
      'user/message',
      'step/start',
      'request/header',
      'assistant/message',
      'steering/message',
      'step/end',
      'step/start',
      'assistant/message',
      'step/end',
      'turn/end completed',
    ]);
    await expectSound(stack, session);
  });

  test.concurrent('a cancel drops what was steered and not read, and nothing that stands in the log', async () => {
    const gates = ['first', 'second'].map((name) => `cancel-${name}-${isolation}`);
    const session = await stack.api.create(
      scripted(stack, 'steer-cancel', ({ lastUser }) => held(gates[lastUser === 'go' ? 0 : 1] ?? '')),
    );
    await stack.api.prompt(session, 'go');
    await stack.model.held(gates[0] ?? '');
    const read = await stack.api.prompt(session, 'left', { mode: 'steer' });
    stack.model.release(gates[0] ?? '');
    await stack.model.held(gates[1] ?? '');
    const unread = await stack.api.prompt(session, 'right', { mode: 'steer' });
    await post(session, 'cancel');
    expect(logLines(await stack.api.turnEnded(session)).filter((line) => line.startsWith('steering'))).toHaveLength(1);
    await expectSound(stack, session);
    const states = stack.database.selectFrom('prompts').select(['prompt_id', 'state', 'turn']);
    expect(
      await states.where('mode', '=', 'steer').where('session_id', '=', session).orderBy('position').execute(),
    ).toEqual([
      { prompt_id: read, state: 'claimed', turn: 1 },
      { prompt_id: unread, state: 'discarded', turn: null },
    ]);
  });

  test.concurrent('context injected during a batch follows its last result; while idle it is a turn of its own', async () => {
    const go = join(stack.workspace, `go-${isolation}`);
    const session = await stack.api.create(
      scripted(stack, 'injected', callsThenDone(bash(`until [ -e ${go} ]; do sleep 0.05; done; echo ok`, 60_000))),
    );
    await stack.api.prompt(session, 'go');
    await stack.api.until(session, 'the call', (events) => events.some(({ type }) => type === 'tool/call'));
    expect((await post(session, 'inject', { content: 'note' })).status).toBe(202);
    writeFileSync(go, '');
    expect(logLines(await stack.api.turnEnded(session)).slice(4, 9)).toEqual([
      'assistant/message',
      'tool/call call_1_1',
      'tool/result call_1_1 ok',
      'context/message',
      'step/end',
    ]);
    await post(session, 'inject', { content: 'idle note' });
    expect(logLines(await stack.api.turnEnded(session, 2)).slice(-3)).toEqual([
      'turn/start',
      'context/message',
      'turn/end completed',
    ]);
    await expectSound(stack, session);
  });

  test.concurrent('cancel during a stream keeps the chunks and clears the queue; interrupt keeps the queue parked', async () => {
    const script = (request: { lastUser: string }) =>
      request.lastUser.startsWith('hold') ? held(`gate-${request.lastUser}`) : { text: request.lastUser };
    const session = await stack.api.create(scripted(stack, 'stopping', script));
    await stack.api.prompt(session, 'hold 1');
    await stack.model.held('gate-hold 1');
    await stack.api.prompt(session, 'dropped');
    await post(session, 'cancel');
    expect(logLines(await stack.api.turnEnded(session)).slice(-3)).toEqual([
      'request/header',
      'step/end',
      'turn/end aborted',
    ]);
    await stack.api.prompt(session, 'hold 2');
    await stack.model.held('gate-hold 2');
    await stack.api.prompt(session, 'parked');
    await post(session, 'interrupt');
    await stack.api.turnEnded(session, 2);
    await stack.api.prompt(session, 'unparks');
    const events = await stack.api.turnEnded(session, 4);
    const said = events.flatMap((event) =>
      event.type === 'user/message' ? event.data.content.map((block) => (block.type === 'text' ? block.text : '')) : [],
    );
    expect(said).toEqual(['hold 1', 'hold 2', 'parked', 'unparks']);
    await expectSound(stack, session);
  });

  test.concurrent('cancel during a batch: the running call is drained, the rest is answered without running', async () => {
    const mark = join(stack.workspace, `after-cancel-${isolation}`);
    const session = await stack.api.create(
      scripted(stack, 'cancel-batch', callsThenDone(bash('sleep 600', 600_000), bash(`echo x >> ${mark}`))),
    );
    await stack.api.prompt(session, 'go');
    await stack.api.until(session, 'the call', (events) => events.some(({ type }) => type === 'tool/call'));
    await post(session, 'cancel');
    expect(logLines(await stack.api.turnEnded(session)).slice(-6)).toEqual([
      'tool/call call_1_1',
      'tool/result call_1_1 ABORTED',
      'tool/call call_1_2',
      'tool/result call_1_2 ABORTED_BEFORE_DISPATCH',
      'step/end',
      'turn/end aborted',
    ]);
    expect(() => readFileSync(mark)).toThrow('ENOENT');
    await expectSound(stack, session);
  });

  test.concurrent.each([
    ['that runs', {}],
    ['that is denied', { justification: 'because' }],
  ])(
    'the same call %s, made again and again, is answered with a reminder, and a person’s word begins anew',
    async (how, more) => {
      const { name, arguments: args } = bash('true');
      const session = await stack.api.create({
        ...scripted(stack, `repeating-${how.replaceAll(' ', '-')}`, ({ messages }) => {
          const made = messages.filter(({ role }) => role === 'tool').length;
          const wanted = JSON.stringify(messages).includes('once more') ? 6 : 4;
          return made < wanted ? { toolCalls: [{ name, arguments: { ...args, ...more } }] } : { text: 'done' };
        }),
        prompt: 'go',
      });
      const reminders = (events: Awaited<ReturnType<typeof stack.api.turnEnded>>) =>
        events.filter(
          ({ type, data }) => type === 'context/message' && JSON.stringify(data).includes('repeat-reminder'),
        );
      expect(reminders(await stack.api.turnEnded(session))).toHaveLength(1);
      await stack.api.prompt(session, 'once more');
      expect(reminders(await stack.api.turnEnded(session, 2))).toHaveLength(1);
      await expectSound(stack, session);
    },
  );

  test.concurrent('whenIdle answers once nothing runs and nothing is queued', async () => {
    const session = await stack.api.create(scripted(stack, 'quiet', ({ lastUser }) => held(`quiet-${lastUser}`)));
    await stack.api.prompt(session, '1');
    await stack.api.prompt(session, '2');
    let answered = false;
    const idle = stack.api.call('GET', `/v1/sessions/${session}?whenIdle=60`).finally(() => (answered = true));
    await stack.model.held('quiet-1');
    stack.model.release('quiet-1');
    await stack.model.held('quiet-2');
    expect(answered).toBe(false);
    stack.model.release('quiet-2');
    expect((await idle).body).toMatchObject({ status: 'idle', queue: [] });
    expect((await stack.api.events(session)).filter(({ type }) => type === 'turn/end').length).toBe(2);
  });

  test.concurrent('parallel reads overlap and are answered in model order', async () => {
    const names = ['a', 'b', 'c', 'd'].map((name) => join(stack.workspace, `${name}.txt`));
    for (const name of names) writeFileSync(name, `content of ${name}\n`);
    const reads = names.map((file_path) => ({ name: 'read', arguments: { file_path } }));
    const session = await stack.api.create(scripted(stack, 'parallel', callsThenDone(...reads)));
    await stack.api.prompt(session, 'go');
    const events = await stack.api.turnEnded(session);
    expect(logLines(events).filter((line) => line.startsWith('tool/'))).toEqual([
      ...names.map((_, index) => `tool/call call_1_${index + 1}`),
      ...names.map((_, index) => `tool/result call_1_${index + 1} ok`),
    ]);
    expect(resultText(events, 'call_1_3')).toContain('content of');
    await expectSound(stack, session);
  });

  test.concurrent('twenty results of 250 kB in one batch: nothing is terminated, each is bounded', async () => {
    const calls = Array.from({ length: 20 }, () => bash('head -c 250000 /dev/zero | tr "\\0" x'));
    const session = await stack.api.create(scripted(stack, 'big-results', callsThenDone(...calls)));
    await stack.api.prompt(session, 'go');
    const events = await stack.api.turnEnded(session);
    expect(logLines(events).filter((line) => line.endsWith(' ok')).length).toBe(20);
    expect(logLines(events).at(-1)).toBe('turn/end completed');
    await expectSound(stack, session);
  });

  test.concurrent('a prompt of 5 MB, forty calls with 100 kB of arguments', async () => {
    const echo = await stack.api.create(
      scripted(stack, 'big-prompt', (request) => ({ text: `${request.lastUser.length}` })),
    );
    await stack.api.prompt(echo, 'x'.repeat(5_000_000));
    const said = (await stack.api.turnEnded(echo)).find((event) => event.type === 'assistant/message');
    expect(said?.type === 'assistant/message' && said.data.content).toEqual([{ type: 'text', text: '5000000' }]);
    await expectSound(stack, echo);

    const calls = Array.from({ length: 40 }, (_, index) => ({
      name: 'write',
      arguments: { file_path: join(stack.workspace, `big-${isolation}-${index}.txt`), content: 'y'.repeat(100_000) },
    }));
    const writer = await stack.api.create(scripted(stack, 'big-arguments', callsThenDone(...calls)));
    await stack.api.prompt(writer, 'go');
    expect(logLines(await stack.api.turnEnded(writer)).filter((line) => line.endsWith(' ok')).length).toBe(40);
    await expectSound(stack, writer);
  });
});
