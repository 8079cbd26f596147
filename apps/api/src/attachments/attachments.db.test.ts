import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttachmentId, ImageBlock, SessionId, TenantId } from '@everturn/core/domain';
import { logRefersTo, putAttachment, type Database } from '@everturn/core/postgres';
import { openTestDatabase } from '@everturn/core/testing';
import { openProjection } from '../../../worker/src/projection/index.ts';
import { LogWriter } from '../../test/support/log-writer.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { ExportService } from '../export/export.service.ts';
import { AttachmentsService } from './attachments.service.ts';

const { database, drop } = await openTestDatabase();
let service: AttachmentsService;
beforeAll(async () => {
  service = new AttachmentsService(database, new SessionAccess(database));
});
afterAll(drop);

const acme = 'acme' as TenantId;
const rival = 'rival' as TenantId;
const picture = { bytes: new Uint8Array([1, 2, 3]), mediaType: 'image/gif', width: 2, height: 1 } as const;

/** A session whose log shows a picture. */
async function showing(tenant: TenantId, block: ImageBlock): Promise<{ tenant: TenantId; session: SessionId }> {
  const log = await LogWriter.open(openProjection({ database, owner: 'attachments' }), tenant);
  await log.beginTurn();
  await log.commit([
    log.event('context/message', { content: [block], source: { kind: 'plugin', plugin: 'test' } }, 0, {
      surfaceOp: 'append',
    }),
  ]);
  await log.endTurn();
  return log.key;
}

const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'read',
    (error: { code?: string }) => error.code,
  );

test('whether a log shows a picture is looked up among its events with pictures alone', async () => {
  const block = await putAttachment(database, acme, picture);
  const key = await showing(acme, block);
  const scans = await database.transaction().execute(async (transaction) => {
    const seen = { ...key, attachment: block.attachmentId };
    // The log is small, but the question is what is asked of a long one.
    await sql`set local enable_seqscan = off`.execute(transaction);
    expect(await logRefersTo(transaction as unknown as Database, seen)).toBe(true);
    const { rows } = await sql<{ scans: string }>`
      select pg_stat_get_xact_numscans('session_events_pictures'::regclass) as scans`.execute(transaction);
    return rows[0]?.scans;
  });
  expect(Number(scans)).toBe(1);
});

test('a picture is stored once, is read through a log that shows it, and through no other', async () => {
  const block = await putAttachment(database, acme, picture);
  expect(await putAttachment(database, acme, picture)).toEqual(block);
  expect(block).toEqual({
    type: 'image',
    attachmentId: expect.stringMatching(/^[0-9a-f]{64}$/),
    mediaType: 'image/gif',
    width: 2,
    height: 1,
    bytes: 3,
  });
  const shown = await showing(acme, block);
  const other = await showing(acme, await putAttachment(database, acme, { ...picture, bytes: new Uint8Array([4]) }));
  const { bytes, ...facts } = await service.read(shown, block.attachmentId);
  expect([[...bytes], facts]).toEqual([[1, 2, 3], { mediaType: 'image/gif', width: 2, height: 1 }]);
  expect(await codeOf(service.read(other, block.attachmentId))).toBe('ATTACHMENT_NOT_FOUND');
  expect(await codeOf(service.read(shown, 'f'.repeat(64) as AttachmentId))).toBe('ATTACHMENT_NOT_FOUND');
});

test('tenants do not see each other, not even by the id of what both have', async () => {
  const ours = await putAttachment(database, acme, picture);
  const theirs = await putAttachment(database, rival, picture);
  expect(ours.attachmentId).not.toBe(theirs.attachmentId);
  const session = await showing(acme, ours);
  expect(await codeOf(service.read({ ...session, tenant: rival }, ours.attachmentId))).toBe('SESSION_NOT_FOUND');
  const guessing = await showing(rival, { ...theirs, attachmentId: ours.attachmentId });
  expect(await codeOf(service.read(guessing, ours.attachmentId))).toBe('ATTACHMENT_NOT_FOUND');
});

test('an archive that cannot be packed to its end is cut off, and breaks nothing else', async () => {
  const key = await showing(acme, await putAttachment(database, acme, picture));
  const exports = new ExportService(database, new SessionAccess(database));
  const pack = async () => buffer(await exports.zip(key, { descendants: false }));
  const whole = await pack();
  await sql`alter table attachments rename to elsewhere`.execute(database);
  await expect(pack()).rejects.toThrow('attachments');
  await sql`alter table elsewhere rename to attachments`.execute(database);
  expect((await pack()).length).toBe(whole.length);
});
