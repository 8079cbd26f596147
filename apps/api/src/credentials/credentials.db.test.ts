import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Secret, type ApiConfig } from '@everturn/core/config';
import type { HostId, TenantId } from '@everturn/core/domain';
import { openCredential, SecretBox, takeHost } from '@everturn/core/postgres';
import { openTestDatabase } from '@everturn/core/testing';
import type { Announcer } from '../platform/follow/announcer.ts';
import { CredentialsService } from './credentials.service.ts';

const { database, drop } = await openTestDatabase();
const key = Buffer.alloc(32, 7).toString('base64');
const service = (keys: string[]) =>
  new CredentialsService(
    database,
    { secretsKeys: keys.map((one) => new Secret(one)) } as unknown as ApiConfig,
    { announceTenant: (tenant: TenantId) => void announced.push(tenant) } as unknown as Announcer,
  );
const announced: TenantId[] = [];

beforeAll(async () => {
  const provider = (id: string, ref: string, source: 'environment' | 'stored') => ({
    id,
    name: id,
    credential: { ref, source },
  });
  const providers = [provider('a', 'TEAM_KEY', 'stored'), provider('b', 'OWN_KEY', 'environment')];
  await takeHost(database, { host: 'h' as HostId, holder: 'w', roots: [], details: { providers } });
});
afterAll(drop);

const acme = 'acme' as TenantId;
const rival = 'rival' as TenantId;
const codeOf = (done: Promise<unknown>) =>
  done.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
const opened = (tenant: TenantId, ref = 'TEAM_KEY', keys = [key]) =>
  openCredential(database, { tenant, ref }, new SecretBox(keys));

test('a key is written, used, replaced and forgotten, and shown nowhere', async () => {
  const credentials = service([key]);
  const absent = { ref: 'TEAM_KEY', configured: false, writable: true };
  expect(await credentials.describe({ tenant: acme, ref: 'TEAM_KEY' })).toEqual(absent);
  const stored = { ref: 'TEAM_KEY', configured: true, source: 'stored', writable: true, updatedAt: expect.any(Number) };
  expect(await credentials.write({ tenant: acme, ref: 'TEAM_KEY' }, 'sk-hunter2')).toEqual(stored);
  expect(await opened(acme)).toBe('sk-hunter2');
  const everything = JSON.stringify((await sql`select * from credentials`.execute(database)).rows);
  expect(everything).toContain('TEAM_KEY');
  expect(everything).not.toContain('hunter2');
  await credentials.write({ tenant: acme, ref: 'TEAM_KEY' }, 'sk-next');
  expect(await opened(acme)).toBe('sk-next');
  await credentials.forget({ tenant: acme, ref: 'TEAM_KEY' });
  expect(announced).toEqual([acme, acme, acme]);
  expect([await opened(acme), await codeOf(credentials.forget({ tenant: acme, ref: 'TEAM_KEY' }))]).toEqual([
    undefined,
    'CREDENTIAL_NOT_FOUND',
  ]);
});

test('it is its tenant’s alone, and opens nowhere else and under no other key', async () => {
  const credentials = service([key]);
  await credentials.write({ tenant: acme, ref: 'TEAM_KEY' }, 'sk-acme');
  expect(await opened(rival)).toBeUndefined();
  expect((await credentials.list(rival)).credentials.find(({ ref }) => ref === 'TEAM_KEY')?.configured).toBe(false);
  await sql`insert into credentials (tenant, ref, sealed) select 'rival', ref, sealed from credentials`.execute(
    database,
  );
  expect(await opened(rival)).toBeUndefined();
  expect(await opened(acme, 'TEAM_KEY', [Buffer.alloc(32, 8).toString('base64')])).toBeUndefined();
});

test('one of the deployment goes first, and cannot be changed here', async () => {
  const credentials = service([key]);
  const configured = { ref: 'OWN_KEY', configured: true, source: 'environment', writable: false };
  expect(await credentials.describe({ tenant: acme, ref: 'OWN_KEY' })).toEqual(configured);
  expect(await codeOf(credentials.write({ tenant: acme, ref: 'OWN_KEY' }, 'x'))).toBe('CREDENTIAL_REJECTED');
  expect(await codeOf(credentials.forget({ tenant: acme, ref: 'OWN_KEY' }))).toBe('CREDENTIAL_REJECTED');
  expect((await credentials.list(acme)).credentials.map(({ ref, source }) => [ref, source])).toEqual([
    ['OWN_KEY', 'environment'],
    ['TEAM_KEY', 'stored'],
  ]);
});

test('one that was stored before the deployment had its own waits behind it', async () => {
  const credentials = service([key]);
  await credentials.write({ tenant: acme, ref: 'LATER_KEY' }, 'sk-stored');
  const providers = [{ id: 'c', name: 'c', credential: { ref: 'LATER_KEY', source: 'environment' } }];
  await takeHost(database, { host: 'later' as HostId, holder: 'w', roots: [], details: { providers } });
  expect(await credentials.describe({ tenant: acme, ref: 'LATER_KEY' })).toMatchObject({
    source: 'environment',
    writable: false,
  });
  await credentials.forget({ tenant: acme, ref: 'LATER_KEY' });
});

test('a deployment without a key of its own keeps none', async () => {
  expect(await codeOf(service([]).write({ tenant: acme, ref: 'OTHER' }, 'x'))).toBe('SECRETS_KEY_MISSING');
});
