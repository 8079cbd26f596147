import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostId, TenantId } from '@everturn/core/domain';
import { expireUploads, publishHostDetails, takeHost, type Database } from '@everturn/core/postgres';
import { noisePng, openTestDatabase, waitFor } from '@everturn/core/testing';
import { sql } from 'kysely';
import { MessageContent } from '../schemas/content.ts';
import { ModelRoutes } from './model-routes.ts';
import { PictureDesk } from './picture-desk.ts';

const { database, drop } = await openTestDatabase();
let desk: PictureDesk;
beforeAll(async () => {
  desk = new PictureDesk(database, new ModelRoutes(database));
});
afterAll(drop);

const acme = 'acme' as TenantId;
const png = noisePng(6, 5);
const inline = { type: 'image', mediaType: 'image/png', data: png.toString('base64') };
const stored = async () => (await database.selectFrom('attachments').select('id').execute()).length;
const admit = (content: unknown, model = 'any', tenant = acme) =>
  desk.admit({
    tenant,
    content: MessageContent.parse(content),
    field: 'body.content',
    route: async () => ({ provider: 'p', model }),
  });

test('a picture is kept once it is wanted, the same one once, and an upload may be referred to by its tenant only', async () => {
  const admitted = await admit([inline, { type: 'text', text: 'what is it?' }]);
  expect(await stored()).toBe(0);
  const [image, words] = await admitted.store();
  const facts = { mediaType: 'image/png', width: 6, height: 5, bytes: png.length };
  expect(image).toEqual({ type: 'image', attachmentId: expect.stringMatching(/^[0-9a-f]{64}$/), ...facts });
  expect(words).toEqual({ type: 'text', text: 'what is it?' });
  const uploaded = await desk.upload(acme, png, 'image/png', 'body');
  expect([uploaded, await stored()]).toEqual([image, 1]);
  const { attachmentId } = uploaded;
  expect(await (await admit([{ type: 'image', attachmentId }])).store()).toEqual([image]);
  expect(await (await admit([uploaded])).store()).toEqual([image]);
  await expect(admit([uploaded], 'any', 'rival' as TenantId)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    details: { issues: [{ field: 'body.content[0].attachmentId' }] },
  });
});

test('a model that takes no pictures refuses them, listed or not; one nobody tells of does not', async () => {
  const host = 'h1' as HostId;
  const taken = await takeHost(database, { host, holder: 'one', roots: [] });
  if (taken.kind !== 'taken') throw new Error('the host is held');
  const provider = {
    id: 'p',
    name: 'P',
    models: ['seeing', 'blind'],
    pictures: { listed: ['seeing'], unlisted: false },
  };
  await publishHostDetails(database, { host, epoch: taken.epoch, details: { providers: [provider] } });
  const before = await stored();
  for (const model of ['blind', 'another'])
    await expect(admit(['look', inline].map(asBlock), model)).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      status: 400,
      message: `body.content[1]: the model "${model}" takes no pictures: choose one that does`,
    });
  await admit([inline], 'seeing');
  await admit('only text', 'blind');
  const other = { tenant: acme, field: 'body.content', route: async () => ({ provider: 'q', model: 'blind' }) };
  await desk.admit({ ...other, content: MessageContent.parse([inline]) });
  expect(await stored()).toBe(before);
});

const asBlock = (block: unknown) => (typeof block === 'string' ? { type: 'text', text: block } : block);

/** An upload of a tenant of its own that is eight days old. */
async function oldUpload(name: string) {
  const tenant = name as TenantId;
  const send = () => desk.upload(tenant, png, 'image/png', 'body');
  const block = await send();
  const age = () =>
    database
      .updateTable('attachments')
      .set({ created_at: sql<Date>`clock_timestamp() - interval '8 days'` })
      .where('tenant', '=', tenant)
      .execute();
  await age();
  const isStored = async () =>
    (await database.selectFrom('attachments').select('id').where('tenant', '=', tenant).execute()).length === 1;
  return { block, send, age, isStored, message: () => admit([block], 'seeing', tenant) };
}
const sweep = (on: Database = database) => expireUploads(on, 100);
const gone = ({ attachmentId }: { attachmentId: string }) => ({
  code: 'INVALID_REQUEST',
  details: { issues: [{ field: 'body.content[0].attachmentId', message: expect.stringContaining(attachmentId) }] },
});
const waitingForLocks = async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(database);
  return rows[0]?.n ?? 0;
};

test('an upload that no message refers to goes after a week; what a message is about to refer to stays', async () => {
  const [unused, again, sent, inlined] = await Promise.all([
    oldUpload('unused'),
    oldUpload('again'),
    oldUpload('sent'),
    oldUpload('inlined'),
  ]);
  const young = await desk.upload('young' as TenantId, png, 'image/png', 'body');
  await again.send();
  // Whoever dies after this and before the message has kept a picture too much, never one too few.
  await (await sent.message()).store();
  await (await admit([inline], 'seeing', 'inlined' as TenantId)).store();
  expect(await sweep()).toBe(1);
  const all = [unused, again, sent, inlined].map((one) => one.isStored());
  expect(await Promise.all(all)).toEqual([false, true, true, true]);
  await expect(unused.message()).rejects.toMatchObject(gone(unused.block));
  expect(await (await admit([young], 'seeing', 'young' as TenantId)).store()).toEqual([young]);
  await Promise.all([again.age(), sent.age(), inlined.age()]);
  expect([await sweep(), await sweep(), await again.isStored()]).toEqual([1, 0, false]);
});

test('a message and the sweep at once: either the picture stays, or the message is refused', async () => {
  const late = await oldUpload('late');
  const admitted = await late.message();
  expect(await sweep()).toBe(1);
  await expect(admitted.store()).rejects.toMatchObject(gone(late.block));

  const early = await oldUpload('early');
  const message = await early.message();
  const { late: outcome } = await database.transaction().execute(async (transaction) => {
    expect(await sweep(transaction as unknown as Database)).toBe(1);
    // Before the sweep is done the message comes, which waits for what becomes of the picture.
    const storing = message.store().catch((error: unknown) => error);
    await waitFor(async () => (await waitingForLocks()) > 0, { what: 'the message to wait' });
    return { late: storing };
  });
  expect(await outcome).toMatchObject(gone(early.block));

  const kept = await oldUpload('kept');
  await database.transaction().execute(async (transaction) => {
    const own = new PictureDesk(transaction as unknown as Database, new ModelRoutes(database));
    const route = async () => ({ provider: 'p', model: 'seeing' });
    const content = MessageContent.parse([kept.block]);
    await (await own.admit({ tenant: 'kept' as TenantId, field: 'body.content', route, content })).store();
    expect(await sweep()).toBe(0);
  });
  expect([await sweep(), await kept.isStored()]).toEqual([0, true]);
});
