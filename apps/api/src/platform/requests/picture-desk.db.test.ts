import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostId, TenantId } from '@everturn/core/domain';
import { publishHostDetails, takeHost } from '@everturn/core/postgres';
import { noisePng, openTestDatabase } from '@everturn/core/testing';
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
