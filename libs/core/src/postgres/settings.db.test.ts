import { afterAll, expect, test } from 'vitest';
import {
  changeSettings,
  settingsNamespace,
  type JsonObject,
  type SessionId,
  type SettingsNamespace,
  type TenantId,
} from '../domain/index.ts';
import { openTestDatabase } from '../testing/index.ts';
import { skillsMark, writeSessionSkills } from './session-skills.ts';
import { startSessionRow } from './sessions.ts';
import { readSessionStanding, readSettings, writeSettings } from './settings.ts';

const namespace = settingsNamespace('session-title') as SettingsNamespace;
const tenant = 'acme' as TenantId;
const here = { tenant, namespace: namespace.name };
const { database, drop } = await openTestDatabase();
afterAll(drop);

const set = (patch: JsonObject, expectedRevision?: number) =>
  writeSettings(database, {
    ...here,
    ...(expectedRevision !== undefined && { expectedRevision }),
    change: (user) => changeSettings(namespace, { user }, { kind: 'update', patch }),
  });

test('a change raises the revision, an equal one does not, a refused one leaves nothing', async () => {
  expect(await readSettings(database, here)).toEqual({ user: {}, revision: 0 });
  expect(await set({ cadence: 'daily' })).toMatchObject({ kind: 'rejected' });
  expect(await readSettings(database, here)).toEqual({ user: {}, revision: 0 });
  expect(await set({ cadence: 'first-prompt' }, 0)).toMatchObject({ kind: 'written', revision: 1 });
  expect(await set({ cadence: 'off' }, 0)).toEqual({ kind: 'conflict', actual: 1 });
  expect(await set({ cadence: 'first-prompt' }, 1)).toMatchObject({ revision: 1, result: { kind: 'unchanged' } });
  expect(await readSettings(database, { ...here, tenant: 'umbrella' as TenantId })).toMatchObject({ revision: 0 });
});

test('of changes made at the same time none is lost', async () => {
  const before = (await readSettings(database, here)).revision;
  const changes = ['a', 'b', 'c', 'd', 'e', 'f'].map((model) => set({ provider: 'p', model }));
  const written = (await Promise.all(changes)).map((each) => (each.kind === 'written' ? each.revision : 0));
  expect(written.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6].map((n) => before + n));
});

test('a session is read with what its own tenant says', async () => {
  const session = 's1' as SessionId;
  await startSessionRow(database, { tenant, session, header: {}, options: {} });
  expect((await readSessionStanding(database, { tenant, session })).settings['session-title']).toMatchObject({
    provider: 'p',
  });
  const skill = { name: 'tidy', description: 'ä\0\ud83d', source: 'project', byModel: true, byPerson: true } as const;
  await writeSessionSkills(database, { tenant, session, skills: [skill] });
  expect((await readSessionStanding(database, { tenant, session })).skills).toBe(skillsMark([skill]));
  await startSessionRow(database, {
    tenant: 'umbrella' as TenantId,
    session: 's2' as SessionId,
    header: {},
    options: {},
  });
  const theirs = { tenant: 'umbrella' as TenantId, session: 's2' as SessionId };
  expect(await readSessionStanding(database, theirs)).toEqual({ settings: {} });
});
