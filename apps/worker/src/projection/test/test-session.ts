import { randomBytes } from 'node:crypto';
import { eventId, snapshotJson } from '@everturn/core/domain';
import type {
  Author,
  AuthoredDataOf,
  AuthoredEvent,
  AuthoredSurface,
  SessionEventType,
  SessionId,
  TenantId,
} from '@everturn/core/domain';
import { openDatabase, readSession, startSessionRow } from '@everturn/core/postgres';
import type { SessionRow } from '@everturn/core/postgres';
import { type TestDatabase, testDatabase } from '@everturn/core/testing';
import type { SessionRef } from '../../contract/index.ts';
import { openLog } from '../open-log.ts';
import { openProjection } from '../projection.ts';
import type { Projection } from '../projection.ts';

/** Who writes user messages in tests. */
export const source = { kind: 'user' as const };

let database: TestDatabase;
let projection: Projection;

/** For `beforeAll`. */
export async function openTestProjection(): Promise<void> {
  database = await testDatabase();
  projection = openProjection({ database: openDatabase(database.url), owner: 'test' });
}

/** For `afterAll`. */
export async function closeTestProjection(): Promise<void> {
  await projection.notifier.flushed();
  await projection.database.destroy();
  await database.drop();
}

/** Where the test's database is. */
export const testDatabaseUrl = (): string => database.url;

/** Another process on the same database. */
export function otherProcess(owner: string, host?: Projection['host']): Projection {
  return { ...projection, owner, ...(host && { host }) };
}

/** A session whose log has just been opened, at generation 1. */
export interface TestSession {
  projection: Projection;
  ref: SessionRef;
  row(): Promise<SessionRow | undefined>;
}

export async function newSession(tenant = 'acme'): Promise<TestSession> {
  const key = { session: `s-${randomBytes(5).toString('hex')}` as SessionId, tenant: tenant as TenantId };
  await startSessionRow(projection.database, { ...key, header: { version: 0 }, options: {} });
  await openLog(projection, { ...key, intent: 'open', runId: 'run-1' });
  return { projection, ref: { ...key, generation: 1 }, row: () => readSession(projection.database, key) };
}

/** Names events of one author of generation 1, or of another. */
export function author(name: string, next = 0, generation = 1) {
  let n = next;
  return <T extends SessionEventType>(
    type: T,
    data: AuthoredDataOf<T>,
    time = 0,
    surface?: AuthoredSurface,
  ): AuthoredEvent => {
    const eid = eventId(name as Author, generation, n);
    n += 1;
    return snapshotJson({ eid, type, time, data, ...surface }) as unknown as AuthoredEvent;
  };
}
