import { sql } from 'kysely';
import type { TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** How far each of a tenant's own rows has come; what is different from a mark before has changed. */
export interface TenantMarks {
  /** Revisions, by namespace. */
  settings: Record<string, number>;
  /** When each stored key was written, by name. */
  credentials: Record<string, string>;
}

/** Reads them in one statement. */
export async function readTenantMarks(database: Database, tenant: TenantId): Promise<TenantMarks> {
  const { rows } = await sql<TenantMarks>`
    select
      coalesce((select json_object_agg(namespace, revision) from settings where tenant = ${tenant}), '{}') as settings,
      coalesce((select json_object_agg(ref, updated_at) from credentials where tenant = ${tenant}), '{}') as credentials
  `.execute(database);
  return rows[0] ?? { settings: {}, credentials: {} };
}
