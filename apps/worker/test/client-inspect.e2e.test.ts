import { waitFor } from '@everturn/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsThenDone, scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

const schema = (property: string) => ({
  type: 'object',
  properties: { [property]: { type: 'string' } },
  required: [property],
  additionalProperties: false,
});
const PROVIDERS = [
  {
    id: 'Page',
    description: 'The page that shows the session.',
    methods: [{ name: 'find', description: 'Finds an element.', input: schema('selector'), output: schema('text') }],
  },
];
const query = (args: object = {}) => ({
  name: 'cordis_inspect_query',
  arguments: { platform: 'client', provider: 'Page', method: 'find', input: { selector: 'h1' }, ...args },
});

async function asking(name: string, call: ReturnType<typeof query>) {
  const options = scripted(stack, name, callsThenDone(call));
  const session = await stack.api.create({ ...options, toolsets: ['inspect'] });
  const at = (client: string) => `/v1/sessions/${session}/inspect/${client}`;
  const offer = (client: string) => stack.api.call('PUT', at(client), { providers: PROVIDERS });
  const asked = (client: string) =>
    waitFor(
      async () => {
        const { body } = await stack.api.call<{ queries: { id: string }[] }>('GET', `${at(client)}/queries?wait=5`);
        return body.queries[0];
      },
      { what: 'a question' },
    );
  const answer = (client: string, id: string, body: object) =>
    stack.api.call('POST', `${at(client)}/queries/${id}`, body);
  const answered = async () => {
    const events = await stack.api.turnEnded(session);
    const result = events.find(({ type }) => type === 'tool/result')?.data as { content: { text: string }[] };
    return result.content[0]?.text ?? '';
  };
  return { session, at, offer, asked, answer, answered, go: () => stack.api.prompt(session, 'look') };
}

test('the first valid answer of a page counts; what breaks its schema does not, and a question ends with its call', async () => {
  const { at, offer, asked, answer, answered, go } = await asking('asking-pages', query());
  expect([(await offer('one')).status, (await offer('two')).status]).toEqual([204, 204]);
  await go();
  const question = await asked('one');
  expect(question).toEqual({ id: expect.any(String), provider: 'Page', method: 'find', input: { selector: 'h1' } });
  expect((await answer('one', question.id, { data: { text: 7 } })).status).toBe(202);
  expect((await stack.api.call('GET', `${at('one')}/queries`)).body).toEqual({ queries: [] });
  expect((await answer('one', question.id, { data: { text: 'again' } })).status).toBe(404);
  expect((await asked('two')).id).toBe(question.id);
  expect((await answer('two', question.id, { data: { text: 'Hello' } })).status).toBe(202);
  expect(JSON.parse(await answered())).toEqual({
    platform: 'client',
    provider: 'Page',
    method: 'find',
    data: { text: 'Hello' },
  });
  expect((await answer('two', question.id, { data: { text: 'late' } })).status).toBe(404);
});

test('nobody offers it: unknown at once. The last page goes, or every one fails: the call ends and says why', async () => {
  const unanswered = {
    nobody: async () => {
      const { go, answered } = await asking('asking-nobody', query());
      await go();
      return answered();
    },
    leaver: async () => {
      const { at, offer, asked, answered, go } = await asking('asking-leaver', query());
      await offer('one');
      await go();
      await asked('one');
      await stack.api.call('DELETE', at('one'));
      return answered();
    },
    failing: async () => {
      const { offer, asked, answer, answered, go } = await asking('asking-failing', query());
      await offer('one');
      await go();
      await answer('one', (await asked('one')).id, { error: 'no such element' });
      return answered();
    },
    wrong: async () => {
      const { offer, answered, go } = await asking('asking-wrongly', query({ input: { selector: 7 } }));
      await offer('one');
      await go();
      return answered();
    },
  };
  expect(await Promise.all(Object.values(unanswered).map((ask) => ask()))).toEqual([
    expect.stringContaining('no client provider is named "Page". Known: (none)'),
    expect.stringContaining('no connected page offers it any more'),
    expect.stringContaining('every page failed: no such element'),
    expect.stringContaining('"selector" must be a string'),
  ]);
});

test('a cancel ends the wait, and pages of other tenants and bad offers are refused', async () => {
  const { session, at, offer, asked, answered, go } = await asking('asking-cancelled', query());
  await offer('one');
  await go();
  await asked('one');
  await stack.api.call('POST', `/v1/sessions/${session}/cancel`);
  expect(await answered()).toContain('abort');
  expect((await stack.api.call('GET', `${at('one')}/queries`)).body).toEqual({ queries: [] });
  const refused = await Promise.all([
    stack.api.call('PUT', at('one'), { providers: [] }),
    stack.api.call('PUT', at('one'), { providers: [...PROVIDERS, ...PROVIDERS] }),
    stack.api.call('PUT', at('a%2Fb'), { providers: PROVIDERS }),
    stack.api.call('GET', `${at('nobody')}/queries`),
    stack.api.call('PUT', '/v1/sessions/of-somebody-else/inspect/one', { providers: PROVIDERS }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 404, 404]);
});
