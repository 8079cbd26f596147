import type { JsonValue } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { openWorkspace } from '../../test/workspace.ts';
import type { InspectProvider } from '../kit/index.ts';

const schema = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
  additionalProperties: false,
} as const;
const doubled = (answer: (n: number) => JsonValue): InspectProvider => ({
  id: 'Math',
  description: 'Sums.',
  methods: [
    {
      name: 'double',
      description: 'Twice a number.',
      input: schema,
      output: schema,
      answer: (input) => answer((input as { n: number }).n),
    },
  ],
});

async function open(answer: (n: number) => JsonValue = (n) => ({ n: 2 * n })) {
  const { call } = await openWorkspace();
  const inspect = async () => [doubled(answer)];
  return {
    list: () => call('cordis_inspect_list', {}, { inspect }),
    query: (asked: object) =>
      call('cordis_inspect_query', { platform: 'host', provider: 'Math', method: 'double', ...asked }, { inspect }),
    call,
  };
}

test('the list describes providers and their methods as pretty JSON', async () => {
  const { text } = await (await open()).list();
  const methods = [{ name: 'double', description: 'Twice a number.', input: schema, output: schema }];
  expect(text).toBe(
    JSON.stringify({ providers: [{ platform: 'host', id: 'Math', description: 'Sums.', methods }] }, null, 2),
  );
});

test('an answer says whose it is', async () => {
  const { text } = await (await open()).query({ input: { n: 21 } });
  expect(text).toBe(JSON.stringify({ platform: 'host', provider: 'Math', method: 'double', data: { n: 42 } }, null, 2));
});

test('what is unknown or does not fit is refused, each by its own code', async () => {
  const { query } = await open();
  const [provider, client, method, missing, wrong, none] = [
    await query({ provider: 'math' }),
    await query({ platform: 'client' }),
    await query({ method: 'triple' }),
    await query({}),
    await query({ input: { n: 1, m: 2 } }),
    await query({ input: null }),
  ];
  expect(provider).toMatchObject({ isError: true, code: 'INSPECT_UNKNOWN_PROVIDER' });
  expect(provider.text).toBe('Error: no host provider is named "math". Known: Math');
  expect(client.text).toBe('Error: no client provider is named "Math". Known: (none)');
  expect(client.code).toBe('INSPECT_UNKNOWN_PROVIDER');
  expect(method).toMatchObject({ code: 'INSPECT_UNKNOWN_METHOD', text: expect.stringContaining('Known: double') });
  expect(missing).toMatchObject({ code: 'INSPECT_INVALID_INPUT', text: expect.stringContaining('property "n"') });
  expect(wrong).toMatchObject({ code: 'INSPECT_INVALID_INPUT', text: expect.stringContaining('"m"') });
  expect(none).toMatchObject({ code: 'INSPECT_INVALID_INPUT', text: expect.stringContaining('must be an object') });
});

test.each<[string, (n: number) => unknown]>([
  ['breaks its schema', () => ({ n: 'many' })],
  ['is no JSON', () => ({ n: Number.NaN })],
  ['is nothing', () => undefined],
])('an answer that %s is an error, and is not shown', async (_what, answer) => {
  const { query } = await open(answer as (n: number) => JsonValue);
  const { text, code } = await query({ input: { n: 1 } });
  expect(code).toBe('INSPECT_INVALID_OUTPUT');
  expect(text).toContain('answer of Math.double');
  expect(text).not.toContain('many');
});

test('a call for no session cannot ask', async () => {
  const { call } = await open();
  expect(await call('cordis_inspect_list', {})).toEqual({
    text: 'Error: Cordis inspection requires an Agent-backed session',
    isError: true,
    code: 'INSPECT_UNAVAILABLE',
  });
});
