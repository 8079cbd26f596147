import { sql } from 'kysely';
import type { TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';
import type { SecretBox } from './secret-box.ts';

/** Keys of providers that tenants keep. */
export interface CredentialTable {
  tenant: string;
  ref: string;
  /** As a `SecretBox` sealed it under tenant and ref. */
  sealed: string;
  updated_at: ClockColumn;
}

export interface CredentialKey {
  tenant: TenantId;
  ref: string;
}

/** A stored key without the key. */
export interface StoredCredential {
  ref: string;
  updatedAt: Date;
}

/** A seal opens only where it was put. */
const placeOf = ({ tenant, ref }: CredentialKey): string => `credential/${tenant}/${ref}`;

/** Stores a key, or puts another in its place. */
export async function writeCredential(
  database: Database,
  { value, secrets, ...key }: CredentialKey & { value: string; secrets: SecretBox },
): Promise<void> {
  const sealed = secrets.seal(value, placeOf(key));
  await database
    .insertInto('credentials')
    .values({ ...key, sealed })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'ref'])
        .doUpdateSet({ sealed, updated_at: sql<Date>`date_trunc('milliseconds', clock_timestamp())` }),
    )
    .execute();
}

/** The key itself, for the call that needs it; `undefined` where none is stored or no key of the deployment opens it. */
export async function openCredential(
  database: Database,
  key: CredentialKey,
  secrets: SecretBox,
): Promise<string | undefined> {
  const { tenant, ref } = key;
  const query = database.selectFrom('credentials').select('sealed').where('tenant', '=', tenant).where('ref', '=', ref);
  const row = await query.executeTakeFirst();
  return row && secrets.open(row.sealed, placeOf(key));
}

/** What a tenant stores, by name. */
export async function listCredentials(
  database: Database,
  { tenant }: { tenant: TenantId },
): Promise<StoredCredential[]> {
  const query = database.selectFrom('credentials').select(['ref', 'updated_at']).where('tenant', '=', tenant);
  return (await query.orderBy('ref').execute()).map(({ ref, updated_at }) => ({ ref, updatedAt: updated_at }));
}

/** Forgets a key; `false` when there was none. */
export async function deleteCredential(database: Database, { tenant, ref }: CredentialKey): Promise<boolean> {
  const query = database.deleteFrom('credentials').where('tenant', '=', tenant).where('ref', '=', ref);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}
