import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { AttachmentId, ImageBlock, ImageMediaType, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** Pictures that logs refer to. */
export interface AttachmentTable {
  tenant: string;
  id: string;
  media_type: string;
  width: number;
  height: number;
  data: Buffer;
  created_at: ClockColumn;
}

/** An encoded picture with what it measures, in pixels. */
export interface Picture {
  bytes: Uint8Array;
  mediaType: ImageMediaType;
  width: number;
  height: number;
}

/** Stores a picture once and answers the block that refers to it; durable when it resolves. */
export async function putAttachment(database: Database, tenant: TenantId, picture: Picture): Promise<ImageBlock> {
  const { bytes, mediaType, width, height } = picture;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The tenant keys the hash, so that an id tells nothing about whether another tenant holds the same picture.
  const id = createHmac('sha256', `everturn attachment ${tenant}`).update(data).digest('hex') as AttachmentId;
  await database
    .insertInto('attachments')
    .values({ tenant, id, media_type: mediaType, width, height, data })
    .onConflict((conflict) => conflict.columns(['tenant', 'id']).doNothing())
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
