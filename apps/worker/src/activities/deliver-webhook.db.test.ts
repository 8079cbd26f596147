import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WebhookEvent } from '@everturn/core/domain';
import {
  createWebhook,
  deleteWebhook,
  expireDeliveries,
  listDeliveries,
  listNewDeliveries,
  markStarted,
  MOST_WEBHOOKS,
  redeliver,
  sealWebhookSecrets,
  SecretBox,
  type CreateWebhookInput,
  type Webhook,
} from '@everturn/core/postgres';
import {
  startRecordingServer,
  startScriptedModel,
  type RecordingServer,
  type ScriptedModel,
} from '@everturn/core/testing';
import { guardedFetch } from '@everturn/tools/world';
import { commit } from '../projection/index.ts';
import { author, closeTestProjection, newSession, openTestProjection } from '../projection/test/test-session.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { webhookActivities } from './deliver-webhook.ts';
import { attempt, testProcess } from './testing/test-process.ts';
import { insideStep } from './testing/test-turn.ts';

let model: ScriptedModel;
let deps: ActivityDeps;
let server: RecordingServer;

beforeAll(async () => {
  await openTestProjection();
  model = await startScriptedModel();
  deps = await testProcess({ projection: (await newSession()).projection, model });
  server = await startRecordingServer();
});
afterAll(async () => {
  server.close();
  await model.close();
  await closeTestProjection();
});
beforeEach(() => {
  server.requests = [];
  server.answer = (response) => response.end();
});

const url = () => `${server.url}/told`;

const subscribe = async (input: Omit<CreateWebhookInput, 'secrets'>) => {
  const made = await createWebhook(deps.database, { ...input, secrets: deps.secrets });
  if (!made) throw new Error('too many');
  return made;
};

/** A session inside a step, and a subscription to it. */
async function subscribed(...events: WebhookEvent[]) {
  const { ref } = await insideStep(deps);
  const { tenant, session } = ref;
  const webhook = await subscribe({ tenant, session, url: url(), events });
  return { ref, webhook, deliveries: () => told(webhook) };
}
const told = (webhook: Webhook) =>
  listDeliveries(deps.database, { tenant: 'acme' as never, webhook: webhook.id, limit: 100 });

async function endTurn({ ref }: Awaited<ReturnType<typeof subscribed>>) {
  const events = [
    author('t1')('step/end', { turn: 1, step: 1 }, 2),
    author('t1', 3)('turn/end', { turn: 1, reason: { kind: 'completed' } }),
  ].map((event, n) => ({ ...event, eid: `t1~1/${n + 2}` as never }));
  await commit(deps.projection, { ...ref, commit: { events, highestAcknowledged: -1 } });
  return () => commit(deps.projection, { ...ref, commit: { events, highestAcknowledged: -1 } });
}

const deliver = (delivery: string) =>
  attempt(webhookActivities(deps).deliverWebhook, { tenant: 'acme' as never, delivery }).result;

describe('what is noted', () => {
  test('the end of a turn, once however often it is committed, for who subscribed to it', async () => {
    const at = await subscribed('turn.ended');
    const other = await subscribed('turn.ended');
    const asking = await subscribe({
      tenant: at.ref.tenant,
      url: url(),
      events: ['approval.asked'],
    });
    const all = await subscribe({ tenant: at.ref.tenant, url: url(), events: ['turn.ended'] });
    const strange = await subscribe({
      tenant: 'globex' as never,
      url: url(),
      events: ['turn.ended'],
    });
    const again = await endTurn(at);
    await again();
    const counts = await Promise.all(
      [at.webhook, all, other.webhook, asking, strange].map(async (w) => (await told(w)).length),
    );
    expect(counts).toEqual([1, 1, 0, 0, 0]);
    expect(await at.deliveries()).toMatchObject([
      { session: at.ref.session, event: 'turn.ended', subject: '1', state: 'new', attempts: 0 },
    ]);
    await deleteWebhook(deps.database, { tenant: at.ref.tenant, webhook: all.id });
  });

  test('questions, ends of jobs and of the session; nothing of a transaction that is given up', async () => {
    const at = await subscribed('approval.asked', 'question.asked', 'job.ended', 'session.closed');
    const { tenant, session } = at.ref;
    const row = { turn: 1, step: 1, answerTo: 'w', request: {} };
    const interactions = (['approval', 'question'] as const).map((kind) => ({
      ...row,
      id: kind,
      kind,
      state: 'open' as const,
    }));
    await commit(deps.projection, {
      ...at.ref,
      commit: { events: [], highestAcknowledged: -1, rows: { interactions } },
    });
    await deps.database
      .insertInto('jobs')
      .values({
        session_id: session,
        id: 'bash-1',
        tenant,
        kind: 'bash',
        number: 1,
        label: 'x',
        call_key: 'c',
        turn: 1,
        step: 1,
      } as never)
      .execute();
    const end = (state: string) => sql`update jobs set state = ${state} where session_id = ${session}`;
    const given = deps.database.transaction().execute(async (transaction) => {
      await end('failed').execute(transaction);
      throw new Error('given up');
    });
    await expect(given).rejects.toThrow('given up');
    expect((await at.deliveries()).map(({ event }) => event).toSorted()).toEqual(['approval.asked', 'question.asked']);
    await end('stopping').execute(deps.database);
    await end('killed').execute(deps.database);
    await commit(deps.projection, {
      ...at.ref,
      commit: { events: [], highestAcknowledged: -1, rows: { status: 'closed' } },
    });
    expect((await at.deliveries()).map(({ event, subject }) => `${event} ${subject}`).toSorted()).toEqual([
      'approval.asked approval',
      'job.ended bash-1',
      'question.asked question',
      'session.closed 1',
    ]);
  });
});

describe('a delivery', () => {
  test('is posted with the same id and body each time, signed, until it is taken; then never again', async () => {
    const at = await subscribed('turn.ended');
    await endTurn(at);
    const [{ id } = { id: '' }] = await at.deliveries();
    expect((await listNewDeliveries(deps.database, { limit: 1_000 })).some(({ delivery }) => delivery === id)).toBe(
      true,
    );
    await markStarted(deps.database, { tenant: at.ref.tenant, delivery: id, round: 1 });
    server.answer = (response) => response.writeHead(503).end();
    await expect(deliver(id)).rejects.toMatchObject({ type: 'WEBHOOK_NOT_DELIVERED', nonRetryable: false });
    expect(await at.deliveries()).toMatchObject([
      { state: 'started', attempts: 1, lastStatus: 503, lastError: 'the receiver answered 503' },
    ]);
    server.answer = (response) => response.writeHead(204).end();
    await deliver(id);
    await deliver(id);
    expect(await at.deliveries()).toMatchObject([{ state: 'delivered', attempts: 2, lastStatus: 204 }]);
    expect(server.requests.length).toBe(2);
    const [first, second] = server.requests;
    expect([second?.body, second?.headers['webhook-id']]).toEqual([first?.body, id]);
    expect(JSON.parse(second?.body ?? '')).toMatchObject({
      id,
      type: 'turn.ended',
      data: { session: at.ref.session, turn: 1, reason: { kind: 'completed' } },
    });
    const key = Buffer.from(at.webhook.secret.replace('whsec_', ''), 'base64');
    const signed = createHmac('sha256', key).update(
      `${id}.${String(second?.headers['webhook-timestamp'])}.${second?.body}`,
    );
    expect(second?.headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
  });

  test('is given up at once where the receiver wants no more or the subscription is gone', async () => {
    const at = await subscribed('turn.ended');
    await endTurn(at);
    const [{ id } = { id: '' }] = await at.deliveries();
    server.answer = (response) => response.writeHead(410).end();
    await expect(deliver(id)).rejects.toMatchObject({ nonRetryable: true });
    await attempt(webhookActivities(deps).giveWebhookUp, { tenant: at.ref.tenant, delivery: id }).result;
    expect(await at.deliveries()).toMatchObject([{ state: 'failed', lastError: 'the receiver answered 410' }]);
    await deleteWebhook(deps.database, { tenant: at.ref.tenant, webhook: at.webhook.id });
    await expect(deliver(id)).rejects.toMatchObject({ nonRetryable: true, message: /is gone or switched off/ });
  });

  test('is made anew on request, unless it is on its way', async () => {
    const at = await subscribed('turn.ended');
    await endTurn(at);
    const [{ id } = { id: '' }] = await at.deliveries();
    const key = { tenant: at.ref.tenant, webhook: at.webhook.id, delivery: id };
    expect(await redeliver(deps.database, key)).toMatchObject({ state: 'new', round: 1 });
    await deliver(id);
    expect(await redeliver(deps.database, key)).toMatchObject({ state: 'new', round: 2 });
    await deliver(id);
    expect(server.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    expect(await redeliver(deps.database, { ...key, tenant: 'globex' as never })).toBeUndefined();
  });

  test('goes to no address that is not public, and follows no redirect', async () => {
    const at = await subscribed('turn.ended');
    await endTurn(at);
    const [{ id } = { id: '' }] = await at.deliveries();
    server.answer = (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    await expect(deliver(id)).rejects.toThrow('redirects are not followed');
    const strict = webhookActivities({ ...deps, webhookFetch: guardedFetch([]) });
    const { result } = attempt(strict.deliverWebhook, { tenant: at.ref.tenant, delivery: id });
    await expect(result).rejects.toThrow(/127\.0\.0\.1.*loopback|WEB_BLOCKED_URL/);
    expect(server.requests.length).toBe(1);
  });

  test('that is over is forgotten after 30 days', async () => {
    const at = await subscribed('turn.ended');
    await endTurn(at);
    const [{ id } = { id: '' }] = await at.deliveries();
    await sql`update webhook_deliveries set created_at = now() - interval '31 days' where id = ${id}`.execute(
      deps.database,
    );
    await expireDeliveries(deps.database);
    expect((await at.deliveries()).length).toBe(1);
    await deliver(id);
    expect(await expireDeliveries(deps.database)).toBe(1);
    expect(await at.deliveries()).toEqual([]);
  });
});

describe('the secret', () => {
  const secretOf = async ({ id }: Webhook) =>
    (await deps.database.selectFrom('webhooks').select('secret').where('id', '=', id).executeTakeFirstOrThrow()).secret;
  const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];

  test('is stored hidden, and a delivery waits for a worker that has its key', async () => {
    const at = await subscribed('turn.ended');
    expect(await secretOf(at.webhook)).toMatch(/^enc\.[0-9a-f]{8}\.[A-Za-z0-9+/=]+$/);
    await endTurn(at);
    const [delivery] = await at.deliveries();
    const keyless = webhookActivities({ ...deps, secrets: new SecretBox([keys[1]]) }).deliverWebhook;
    const input = { tenant: at.ref.tenant, delivery: delivery?.id ?? '' };
    await expect(attempt(keyless, input).result).rejects.toMatchObject({ nonRetryable: false });
    expect((await at.deliveries())[0]).toMatchObject({
      state: 'started',
      lastError: expect.stringContaining('EVERTURN_SECRETS_KEY'),
    });
    expect(server.requests).toEqual([]);
    await deliver(input.delivery);
    const { headers, body } = server.requests[0] ?? { headers: {} as Record<string, string>, body: '' };
    const key = Buffer.from(at.webhook.secret.slice('whsec_'.length), 'base64');
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  });

  test('of old, stored plain, signs as before, and is hidden when a worker with a key starts', async () => {
    const at = await subscribed('turn.ended');
    const { id, secret } = at.webhook;
    await deps.database.updateTable('webhooks').set({ secret }).where('id', '=', id).execute();
    await endTurn(at);
    await deliver((await at.deliveries())[0]?.id ?? '');
    expect(server.requests).toHaveLength(1);
    expect(await sealWebhookSecrets(deps.database, new SecretBox([]))).toBe(0);
    expect(await sealWebhookSecrets(deps.database, deps.secrets)).toBe(1);
    expect(deps.secrets.open(await secretOf(at.webhook), id)).toBe(secret);
    // A changed key: what was stored under the old one is stored under the new one.
    const changed = new SecretBox([keys[1], keys[0]]);
    await sealWebhookSecrets(deps.database, changed);
    expect(new SecretBox([keys[1]]).open(await secretOf(at.webhook), id)).toBe(secret);
    await sealWebhookSecrets(deps.database, new SecretBox([keys[0], keys[1]]));
  });

  test('of one too many is never made, however many are asked for at once', async () => {
    const input = { tenant: 'crowded' as never, url: url(), events: ['turn.ended' as const], secrets: deps.secrets };
    const made = await Promise.all(
      Array.from({ length: MOST_WEBHOOKS + 5 }, () => createWebhook(deps.database, input)),
    );
    expect(made.filter((webhook) => webhook === undefined)).toHaveLength(5);
  });
});
