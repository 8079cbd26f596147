import { afterAll, expect, test } from 'vitest';
import type { HostId, SessionId, TenantId } from '@everturn/core/domain';
import { listOpenTerminals, takeHost } from '@everturn/core/postgres';
import { openTestDatabase } from '@everturn/core/testing';
import { ResourceHolder } from '@everturn/tools/world';
import { notedResources } from './noted-resources.ts';

const { database, drop } = await openTestDatabase();
afterAll(drop);

const tenant = 'acme' as TenantId;
const thing = async () => ({ dispose: async () => {} });

/** A session's resources on a host of their own, and what is noted of them. */
async function held(session: string, holder = 'one', deadHolder?: string) {
  const id = `host-${session}` as HostId;
  const taken = await takeHost(database, { host: id, holder, roots: [], ...(deadHolder && { deadHolder }) });
  if (taken.kind !== 'taken') throw new Error('the host is held');
  const place = { tenant, session: session as SessionId };
  const machine = { host: { id, epoch: taken.epoch } };
  // Of a machine only its host matters here.
  const deps = { database, resources: new ResourceHolder(), machine: machine as never };
  return {
    resources: notedResources(deps, place, new AbortController().signal),
    noted: () => listOpenTerminals(database, place),
  };
}

test('a terminal is noted before it is opened and until it is closed; other things are not', async () => {
  const { resources, noted } = await held('s1');
  let during: string[] = [];
  await resources.open('pty/pty-1', async () => {
    during = await noted();
    return thing();
  });
  await resources.open('shell/bash', thing);
  await resources.open('lsp/ts', thing);
  expect([during, await noted()]).toEqual([['pty/pty-1'], ['pty/pty-1', 'shell/bash']]);
  await resources.close('pty/pty-1');
  await resources.close('shell/bash');
  expect(await noted()).toEqual([]);
});

test('one that could not be opened is not noted', async () => {
  const { resources, noted } = await held('s2');
  const failing = async () => {
    throw new Error('PTY shell exited during startup');
  };
  await expect(resources.open('pty/pty-1', failing)).rejects.toThrow('exited during startup');
  expect(await noted()).toEqual([]);
});

test('what a host had in an earlier life is gone', async () => {
  const { resources, noted } = await held('s3');
  await resources.open('pty/pty-1', thing);
  expect(await noted()).toEqual(['pty/pty-1']);
  await held('s3', 'two', 'one');
  expect(await noted()).toEqual([]);
});
