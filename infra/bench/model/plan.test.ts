import { expect, test } from 'vitest';
import { numberedArguments, requestNumber, stamp, stampsIn } from './plan.ts';

test('a request is numbered by the answers since the last user message', () => {
  const user = { role: 'user', content: 'not "role":"assistant" and not "role":"user"' };
  const answer = { role: 'assistant', content: '', tool_calls: [] };
  const result = { role: 'tool', tool_call_id: 'c', content: '{"role":"assistant"}' };
  const body = (...messages: object[]) => JSON.stringify({ model: 'bench', messages });
  expect(requestNumber(body(user))).toBe(1);
  expect(requestNumber(body(user, answer, result, answer, result))).toBe(3);
  expect(requestNumber(body(user, answer, result, answer, user))).toBe(1);
});

test('stamps are found in joined and cut text', () => {
  expect(stampsIn(`${stamp(1.5)}${stamp(22)}and @7; and @3.1`)).toEqual([1.5, 22]);
});

test('no two calls of a turn are the same', () => {
  const call = { name: 'read', arguments: { file_path: 'a' }, numbered: 'limit' };
  expect([1, 2].map((request) => numberedArguments(call, request))).toEqual([
    { file_path: 'a', limit: 1 },
    { file_path: 'a', limit: 2 },
  ]);
});
