import { createHash, randomBytes } from 'node:crypto';
import { sql, type ColumnType, type ExpressionBuilder } from 'kysely';
import type { TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** Keys of the API, hashed at rest. */
export interface ApiKeyTable {
  id: string;
  tenant: string;
  name: string;
  hash: Buffer;
  admin: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: ClockColumn;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface ApiKey {
  id: string;
  tenant: TenantId;
  name: string;
  /** Its tenant may change what the whole deployment has. */
  admin: boolean;
  createdAt: Date;
  expiresAt?: Date;
  revokedAt?: Date;
}

export interface CreateApiKeyInput {
  tenant: TenantId;
  name?: string;
  admin?: boolean;
  expiresAt?: Date;
}

/** Makes a key. `secret` is shown to its owner once and can never be read again. */
export async function createApiKey(
  database: Database,
  { tenant, name = '', admin = false, expiresAt }: CreateApiKeyInput,
): Promise<{ id: string; secret: string }> {
  const id = randomBytes(6).toString('hex');
  const secret = `evt_${randomBytes(24).toString('base64url')}`;
  await database
    .insertInto('api_keys')
    .values({ id, tenant, name, hash: digest(secret), admin, expires_at: expiresAt ?? null, revoked_at: null })
    .execute();
  return { id, secret };
}

/** Whose key this is, or `undefined` when it is unknown, expired or revoked. */
export async function findApiKey(
  database: Database,
  secret: string,
): Promise<{ id: string; tenant: TenantId } | undefined> {
  const row = await database
    .selectFrom('api_keys')
    .select(['id', 'tenant'])
    .where('hash', '=', digest(secret))
    .where(inForce)
    .executeTakeFirst();
  return row && { id: row.id, tenant: row.tenant as TenantId };
}

/** The keys of a tenant, without their secrets, oldest first. */
export async function listApiKeys(database: Database, tenant: TenantId): Promise<ApiKey[]> {
  const rows = await database
    .selectFrom('api_keys')
    .select(['id', 'name', 'admin', 'created_at', 'expires_at', 'revoked_at'])
    .where('tenant', '=', tenant)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    tenant,
    name: row.name,
    admin: row.admin,
    createdAt: row.created_at,
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  }));
}

/** Whether a tenant has an admin key in force. */
export async function hasAdminKey(database: Database, tenant: TenantId): Promise<boolean> {
  const row = await database
    .selectFrom('api_keys')
    .select('id')
    .where('tenant', '=', tenant)
    .where('admin', '=', true)
    .where(inForce)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends a key at once; `false` when the tenant has no such key in force. */
export async function revokeApiKey(
  database: Database,
  { tenant, id }: { tenant: TenantId; id: string },
): Promise<boolean> {
  const result = await database
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`clock_timestamp()` })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

const inForce = (key: ExpressionBuilder<Tables, 'api_keys'>) =>
  key.and([
    key('revoked_at', 'is', null),
    key.or([key('expires_at', 'is', null), key('expires_at', '>', sql<Date>`clock_timestamp()`)]),
  ]);

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
