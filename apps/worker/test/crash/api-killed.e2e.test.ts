import { randomUUID } from 'node:crypto';
import { text, type RequestId, type SessionEventOf, type SessionId } from '@everturn/core/domain';
import { acceptPrompt } from '@everturn/core/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSound } from '../support/expect-sound.ts';
import { logLines } from '../support/log-lines.ts';
import { scripted } from '../support/model-scripts.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

test('the API killed: its readers come back and miss or repeat nothing', async () => {
  const options = scripted(stack, 'api-killed', () => ({
    text: ['a ', 'b ', 'c ', 'd'],
    hold: { gate: 'api-killed', afterDeltas: 2 },
  }));
  const session = await stack.api.create(options);
  const readers = [1, 2, 3].map(() => stack.api.follow(session, (events) => events.at(-1)?.type === 'turn/end'));
  await stack.api.prompt(session, 'go');
  await stack.model.held('api-killed');
  await stack.apiProcess().kill9();
  stack.model.release('api-killed');
  await stack.startApi();
  const events = await stack.api.turnEnded(session);
  for (const reader of readers) expect(await reader).toEqual(events);
  await expectSound(stack, session);
});

test('the same key twice is one turn and one answer; with another body it is refused', async () => {
  const session = await stack.api.create(scripted(stack, 'keyed', () => ({ text: 'once' })));
  const path = `/v1/sessions/${session}/prompts`;
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all([1, 2, 3].map(() => stack.api.call('POST', path, { content: 'go' }, headers)));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(answers.map(({ body }) => body['promptId'])).size).toBe(1);
  const other = await stack.api.call('POST', path, { content: 'other' }, headers);
  expect(other.status).toBe(409);
  const events = await stack.api.turnEnded(session);
  expect(logLines(events).filter((line) => line === 'user/message')).toEqual(['user/message']);
  await expectSound(stack, session);
});

test('a message taken up from its row is not taken again when it arrives as well', async () => {
  const script = scripted(stack, 'late-copy', ({ lastUser }) => ({ text: lastUser }));
  const session = (await stack.api.create(script)) as SessionId;
  const handle = stack.client.workflow.getHandle(`session:${session}`);
  await handle.terminate('test');
  // As if the API had kept them, and been killed before they were sent.
  const message = (said: string) => ({
    requestId: randomUUID() as RequestId,
    content: [text(said)],
    source: { kind: 'user' } as const,
    preview: said,
  });
  const [prompt, context] = [message('kept prompt'), message('kept context')];
  const key = { tenant: stack.tenant, session };
  await acceptPrompt(stack.database, { ...key, mode: 'send', entry: { ...prompt, kind: 'prompt' } });
  await acceptPrompt(stack.database, { ...key, mode: 'inject', entry: { ...context, kind: 'injection' } });
  await stack.api.prompt(session, 'next');
  await stack.api.turnEnded(session, 3);
  await handle.signal('submitPrompt', { ...prompt, mode: 'send' });
  await handle.signal('inject', context);
  await stack.api.prompt(session, 'last');
  const events = await stack.api.until(session, 'the last turn', (found) => {
    const isLast = found.some((event) => event.type === 'user/message' && saidIn(event) === 'last');
    return isLast && found.at(-1)?.type === 'turn/end' && found;
  });
  const said = events.flatMap((event) =>
    event.type === 'user/message' || event.type === 'context/message' ? [saidIn(event)] : [],
  );
  expect(said).toEqual(['kept context', 'kept prompt', 'next', 'last']);

  // Nor in another life of the session.
  await handle.terminate('test');
  await stack.api.prompt(session, 'reborn');
  const before = await stack.api.turnEnded(session, 5);
  await handle.signal('submitPrompt', { ...prompt, mode: 'send' });
  await handle.signal('inject', context);
  await stack.api.prompt(session, 'the very last');
  const added = (await stack.api.turnEnded(session, 6)).slice(before.length);
  expect(logLines(added).filter((line) => line.endsWith('/message'))).toEqual(['user/message', 'assistant/message']);
  expect(JSON.stringify(added)).toContain('the very last');
  await expectSound(stack, session);
});

const saidIn = ({ data: { content } }: SessionEventOf<'user/message' | 'context/message'>): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');
