import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { callsThenDone, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

test('an argument of 10 MB is streamed, kept and refused by its size, and the turn goes on', async () => {
  const todos = [{ content: 'x'.repeat(10_000_000), status: 'pending' }];
  const script = callsThenDone({ name: 'todo_write', arguments: { todos } });
  const session = await stack.api.create(scripted(stack, 'long-argument', script));
  await stack.api.prompt(session, 'go');
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toContain('the arguments of "todo_write" are too long');
  expect(logLines(events).filter((line) => /^(llm|turn\/end)/.test(line))).toEqual(['turn/end completed']);
  await expectSound(stack, session);
});
