import { createHmac } from 'node:crypto';
import { sql, type Generated } from 'kysely';
import type { AttachmentId, ImageBlock, ImageMediaType, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** Pictures that logs refer to, or may in a while. */
export interface AttachmentTable {
  tenant: string;
  id: string;
  media_type: string;
  width: number;
  height: number;
  data: Buffer;
  /** When it was stored; an upload that comes again begins anew. */
  created_at: ClockColumn;
  /** Whether anything ever referred to it; never taken back. */
  referred: Generated<boolean>;
}

/** An encoded picture with what it measures, in pixels. */
export interface Picture {
  bytes: Uint8Array;
  mediaType: ImageMediaType;
  width: number;
  height: number;
}

/** How long an upload is kept that nothing refers to. */
export const UPLOAD_GRACE_DAYS = 7;

/**
 * Stores a picture once and answers the block that refers to it; durable when it resolves. It stays for good, but for
 * an `upload`, to which something has yet to refer.
 */
export async function putAttachment(
  database: Database,
  tenant: TenantId,
  picture: Picture,
  as: 'referred' | 'upload' = 'referred',
): Promise<ImageBlock> {
  const { bytes, mediaType, width, height } = picture;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The tenant keys the hash, so that an id tells nothing about whether another tenant holds the same picture.
  const id = createHmac('sha256', `everturn attachment ${tenant}`).update(data).digest('hex') as AttachmentId;
  await database
    .insertInto('attachments')
    .values({ tenant, id, media_type: mediaType, width, height, data, referred: as === 'referred' })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'id'])
        .doUpdateSet({ created_at: sql<Date>`clock_timestamp()`, referred: as === 'referred' })
        .where('attachments.referred', '=', false),
    )
    .execute();
  return { type: 'image', attachmentId: id, mediaType, width, height, bytes: data.length };
}

/** A stored picture, or `undefined` when the tenant has none of that id. */
export async function readAttachment(
  database: Database,
  tenant: TenantId,
  id: AttachmentId,
): Promise<Picture | undefined> {
  const row = await database
    .selectFrom('attachments')
    .select(['media_type', 'width', 'height', 'data'])
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { bytes: row.data, mediaType: row.media_type as ImageMediaType, width: row.width, height: row.height };
}

/** The block that refers to a stored picture, or `undefined` when the tenant has none of that id. */
export async function readAttachmentFacts(
  database: Database,
  tenant: TenantId,
  id: AttachmentId,
): Promise<ImageBlock | undefined> {
  const row = await database
    .selectFrom('attachments')
    .select(['media_type', 'width', 'height', sql<number>`octet_length(data)`.as('bytes')])
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { width, height, bytes } = row;
  return { type: 'image', attachmentId: id, mediaType: row.media_type as ImageMediaType, width, height, bytes };
}

/**
 * Notes that something is about to refer to a stored picture, which from then on stays; `false` when the tenant has none
 * of that id. Whoever dies after this has kept a picture too much.
 */
export async function referToAttachment(database: Database, tenant: TenantId, id: AttachmentId): Promise<boolean> {
  const row = await database
    .selectFrom('attachments')
    .select('referred')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || row.referred) return row !== undefined;
  const { numUpdatedRows } = await database
    .updateTable('attachments')
    .set({ referred: true })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes uploads that nothing referred to for {@link UPLOAD_GRACE_DAYS} days, at most `limit`; answers how many. */
export async function expireUploads(database: Database, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with due as materialized (
      select tenant, id from attachments
      where not referred and created_at < clock_timestamp() - ${UPLOAD_GRACE_DAYS} * interval '1 day'
      order by created_at
      limit ${limit}
      -- What somebody is about to refer to is looked at anew next time, and stays.
      for update skip locked
    )
    delete from attachments using due where attachments.tenant = due.tenant and attachments.id = due.id
  `.execute(database);
  return Number(numAffectedRows);
}

/** Whether a session's log shows a picture, which is what entitles its readers to it. */
export async function logRefersTo(
  database: Database,
  { tenant, session, attachment }: { tenant: TenantId; session: SessionId; attachment: AttachmentId },
): Promise<boolean> {
  // The condition without the id is that of an index of the few events with pictures.
  const { rows } = await sql<{ refers: boolean }>`
    select exists (
      select from session_events
      where tenant = ${tenant} and session_id = ${session} and surface_op is not null
        and position('"attachmentId":"' in data) > 0 and position(${`"attachmentId":"${attachment}"`} in data) > 0
    ) as refers
  `.execute(database);
  return rows[0]?.refers ?? false;
}
