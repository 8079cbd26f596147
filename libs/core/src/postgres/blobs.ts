import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { canonicalJson, isBlobRef } from '../domain/index.ts';
import type { BlobId, BlobRef, JsonValue, MaybeRef, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** Values too large to travel, as canonical JSON. */
export interface BlobTable {
  tenant: string;
  id: string;
  bytes: number;
  data: string;
  created_at: ClockColumn;
  /** When it was last stored, to the day, or last found to be referred to. */
  used_at: ClockColumn;
}

/** The reference of a value, whether stored or not: sha256 of its canonical JSON, keyed by tenant. */
export function blobRef(tenant: TenantId, value: unknown): BlobRef {
  return refOf(tenant, canonicalJson(value));
}

/** Stores a value and answers its reference; storing it again only keeps it from being collected. */
export async function putBlob(database: Database, tenant: TenantId, value: unknown): Promise<BlobRef> {
  const data = canonicalJson(value);
  const reference = refOf(tenant, data);
  await database
    .insertInto('blobs')
    .values({ tenant, id: reference.$blob, bytes: reference.bytes, data })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'id'])
        .doUpdateSet({ used_at: sql<Date>`clock_timestamp()` })
        .where('blobs.used_at', '<', sql<Date>`clock_timestamp() - interval '1 day'`),
    )
    .execute();
  return reference;
}

/** The canonical JSON of a stored value, or `undefined` when the tenant has no such blob. */
export async function readBlobText(database: Database, tenant: TenantId, id: BlobId): Promise<string | undefined> {
  const row = await database
    .selectFrom('blobs')
    .select('data')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.data;
}

/** A stored value, or `undefined` when the tenant has no such blob. */
export async function readBlob(database: Database, tenant: TenantId, id: BlobId): Promise<JsonValue | undefined> {
  const data = await readBlobText(database, tenant, id);
  return data === undefined ? undefined : (JSON.parse(data) as JsonValue);
}

/** Keeps a value inline up to `limitBytes` of canonical JSON, and stores it above. */
export async function inlineOrStore<T>(
  database: Database,
  tenant: TenantId,
  value: T,
  limitBytes: number,
): Promise<MaybeRef<T>> {
  if (isBlobRef(value) || Buffer.byteLength(canonicalJson(value)) <= limitBytes) return value;
  return putBlob(database, tenant, value);
}

// The tenant keys the hash, so that an id tells nothing about whether another tenant holds the same text.
function refOf(tenant: TenantId, data: string): BlobRef {
  const id = createHmac('sha256', `everturn blob ${tenant}`).update(data).digest('hex');
  return { $blob: id as BlobId, bytes: Buffer.byteLength(data) };
}
