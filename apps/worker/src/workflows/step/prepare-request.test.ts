import { beforeEach, expect, test, vi } from 'vitest';
import { prepareRequest } from './prepare-request.ts';
import type { StepState } from './step-state.ts';

const said = vi.hoisted(() => ({ verdict: {} as object, asked: 0, assembled: [] as object[] }));
vi.mock('../shared/ask-listeners.ts', () => ({
  askListeners: async () => {
    said.asked += 1;
    return said.verdict;
  },
}));
vi.mock('../proxies.ts', () => ({
  assemble: async (input: object) => {
    said.assembled.push(input);
    return { kind: 'assembled', assembly: { header: 'other', digest: 'other', listeners: ['agent/request'] } };
  },
}));
beforeEach(() => void Object.assign(said, { asked: 0, assembled: [] }));

const config = { provider: 'p', model: 'm' };
async function prepare(verdict: object, headerOwed?: 'initial', listeners = ['agent/request']) {
  said.verdict = verdict;
  const logged: unknown[] = [];
  const step = {
    input: { ...(headerOwed && { headerOwed }) },
    assembly: { config, digest: 'one', header: 'one', listeners },
    permissions: {},
    writer: {
      append: (type: string, data: object) => logged.push([type, data]),
      carry: (carried: (commit: object) => unknown) => carried({}),
    },
  } as unknown as StepState;
  return { outcome: await prepareRequest(step), logged, headerLogged: step.headerLogged };
}

test('where a listener throws there is no request, and none is logged', async () => {
  expect(await prepare({ kind: 'threw', message: 'no', code: 'X' }, 'initial')).toEqual({
    outcome: { kind: 'error', message: 'no', code: 'X' },
    logged: [],
    headerLogged: undefined,
  });
});

test('a header is logged where one is owed, or a listener made it another', async () => {
  const header = (name: string, reason: string) => [['request/header', { header: name, reason }]];
  const same = { kind: 'decided', decision: { config } };
  expect((await prepare(same, 'initial')).logged).toEqual(header('one', 'initial'));
  expect((await prepare(same)).logged).toEqual([]);
  const other = { kind: 'decided', decision: { config: { ...config, temperature: 1 } } };
  expect(await prepare(other)).toMatchObject({ logged: header('other', 'change'), headerLogged: true });
  expect((await prepare(other, 'initial')).logged).toEqual(header('other', 'initial'));
  expect(said.assembled).toMatchObject([{ config: { temperature: 1 }, prefix: [], news: 'skip' }, {}]);
});

test('nobody is asked where nobody listens', async () => {
  expect((await prepare({}, undefined, [])).logged).toEqual([]);
  expect(said.asked).toBe(0);
});
