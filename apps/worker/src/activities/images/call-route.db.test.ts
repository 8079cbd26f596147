import { expect, test } from 'vitest';
import { text } from '@everturn/core/domain';
import { llmRegistry } from '@everturn/core/providers';
import { newSession } from '../../projection/test/test-session.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { model, projection } from '../testing/servers.ts';
import { attempt, testProcess } from '../testing/test-process.ts';
import { atModelCall, insideStep } from '../testing/test-turn.ts';
import { streamModelActivity } from '../stream-model.ts';
import { tenantAttachments } from './attachments.ts';
import { callRoute } from './call-route.ts';

/** A process whose one route takes what is said; only the model `sees` says so itself. */
async function processTaking(input?: ('text' | 'image')[]): Promise<ActivityDeps> {
  const deps = await testProcess({ projection, model });
  const models = [{ id: 'sees', input: ['text', 'image'] as const }];
  const route = {
    id: 'scripted',
    name: 'S',
    dialect: 'openai',
    baseUrl: model.url,
    models,
    ...(input && { input }),
  } as const;
  const llm = llmRegistry({ routes: [route], streamIdleTimeoutMs: 30_000, streamSilenceLimitMs: 30_000 });
  return { ...deps, llm };
}

const asked = (name: string) => ({ config: { provider: 'scripted', model: name } });

test('the model of the newest request decides, listed or not, else the one the session would ask', async () => {
  const blind = await processTaking();
  const seeing = await processTaking(['text', 'image']);
  const { ref } = await insideStep(blind); // its request names the model "test", which is not listed
  expect([await callRoute(blind, ref), await callRoute(seeing, ref)]).toEqual([
    { provider: 'scripted', model: 'test', takesImages: false },
    { provider: 'scripted', model: 'test', takesImages: true },
  ]);
  const { ref: fresh } = await newSession();
  const defaults = async () => ({ provider: 'scripted', model: 'sees' });
  expect(await callRoute({ ...blind, defaultModel: defaults }, fresh)).toMatchObject({
    model: 'sees',
    takesImages: true,
  });
  expect(await callRoute({ ...blind, defaultModel: async () => undefined }, fresh)).toBeUndefined();
  expect(
    await callRoute(
      { ...blind, llm: llmRegistry({ routes: [], streamIdleTimeoutMs: 1, streamSilenceLimitMs: 1 }) },
      ref,
    ),
  ).toBeUndefined();
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test.each([
  [
    'sees',
    [
      { type: 'text', text: 'what is it?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` } },
    ],
  ],
  ['blind', 'what is it?[image: image/png, 1x1 px, not shown here]'],
])('a history with a picture goes on with the model "%s"', async (name, content) => {
  const deps = await processTaking();
  model.script(name, () => ({ text: 'a dot' }));
  const step = await atModelCall(deps, asked(name));
  const attachments = tenantAttachments({
    database: deps.database,
    tenant: step.ref.tenant,
    limits: deps.settings.images,
  });
  const block = await attachments.save(PNG, 'image/png');
  const said = step.input.commit.events.map((event) =>
    event.type === 'user/message'
      ? { ...event, data: { ...event.data, content: [text('what is it?'), block] } }
      : event,
  ) as typeof step.input.commit.events;
  const input = { ...step.input, commit: { ...step.input.commit, events: said } };
  const { outcome } = await attempt(streamModelActivity(deps), input).result;
  expect(outcome).toMatchObject({ kind: 'success', content: [{ text: 'a dot' }] });
  const request = model.requests.find((one) => JSON.stringify(one).includes(`"model":"${name}"`));
  expect(JSON.stringify(request)).toContain(JSON.stringify({ role: 'user', content }).slice(1, -1));
});
