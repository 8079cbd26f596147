import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TenantId } from '@everturn/core/domain';
import { createApiKey, openDatabase, type Database } from '@everturn/core/postgres';
import { spawnProcess, testTemporal, type SpawnedProcess } from '@everturn/core/testing';
import { openProjection, type Projection } from '../../../worker/src/projection/index.ts';

/** An API process on a database of its own, without a worker: what it does alone, and what it waits for in vain. */
export interface ApiUnderTest {
  readonly url: string;
  readonly process: SpawnedProcess;
  readonly database: Database;
  readonly projection: Projection;
  readonly folder: string;
  /** A key of a tenant; made on first use. */
  keyOf(tenant: string): Promise<string>;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface RequestOptions {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, as JSON unless the headers say otherwise. */
  raw?: NonNullable<RequestInit['body']>;
  tenant?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

interface StartInput {
  databaseUrl: string;
  env?: Record<string, string>;
  temporal?: { address: string; namespace: string };
}

/** Starts the API as production does; `stop` also closes what the test itself opened. */
export async function startApi({ databaseUrl, env = {}, temporal }: StartInput): Promise<ApiUnderTest> {
  const { address, namespace } = temporal ?? (await testTemporal());
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'everturn-api-')));
  const starting = spawnProcess('apps/api/src/main.ts', {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    EVERTURN_DATA_DIR: folder,
    EVERTURN_WORKSPACE_ROOTS: join(folder, 'workspaces'),
    EVERTURN_API_PORT: '0',
    EVERTURN_LOG_LEVEL: 'warn',
    ...env,
  });
  const running = await starting.catch((error: unknown) => {
    rmSync(folder, { recursive: true });
    throw error;
  });
  const database = openDatabase(databaseUrl);
  const projection = openProjection({ database, owner: 'api-test' });
  const url = `http://127.0.0.1:${String(running.ready['port'])}`;
  const keys = new Map<string, Promise<string>>();
  const keyOf = (tenant: string): Promise<string> => {
    const known =
      keys.get(tenant) ?? createApiKey(database, { tenant: tenant as TenantId }).then(({ secret }) => secret);
    keys.set(tenant, known);
    return known;
  };
  return {
    url,
    process: running,
    database,
    projection,
    folder,
    keyOf,
    request: async (method, path, { json, raw, tenant = 'acme', headers = {} } = {}) => {
      const body = json === undefined ? raw : JSON.stringify(json);
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await keyOf(tenant)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body, duplex: 'half' }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    stop: async () => {
      await running.stop(10_000);
      await projection.notifier.flushed();
      await database.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
