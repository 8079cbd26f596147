import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CallId } from '@everturn/core/domain';
import { bodies } from '@everturn/tools/activity';
import { openLocalWorld } from '@everturn/tools/world';
import type { RunToolInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { runToolActivity } from '../run-tool.ts';
import { model, projection } from '../testing/servers.ts';
import { apiOf, attempt, testProcess } from '../testing/test-process.ts';
import { insideStep } from '../testing/test-turn.ts';

/** One worker process; each has a machine of its own, as a restarted one would. */
async function workerProcess(): Promise<ActivityDeps> {
  const tools = ['read', 'write', 'edit'].flatMap((name) => bodies.get(name) ?? []);
  const deps = await testProcess({ projection, model, tools });
  const world = await openLocalWorld({ environment: {} });
  onTestFinished(() => world.dispose());
  return { ...deps, resources: world.resources };
}

/** A session in a folder of its own, and its calls in whichever process. */
async function openSession(deps: ActivityDeps) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'everturn-policy-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const { ref } = await insideStep(deps);
  let index = 0;
  const call = async (where: ActivityDeps, name: string, args: object) => {
    const input: RunToolInput = {
      ...ref,
      turn: 1,
      step: 1,
      call: {
        index: index++,
        callId: `c${index}` as CallId,
        name,
        arguments: JSON.stringify(args),
        concurrency: 'exclusive',
      },
      effect: 'at-most-once',
      cwd,
      spill: 'now',
      commit: { events: [], highestAcknowledged: -1 },
    };
    const { outcome } = await attempt(runToolActivity(where), input).result;
    return outcome.isError ? (outcome.error?.code ?? JSON.stringify(outcome.content)) : 'ok';
  };
  const path = join(cwd, 'f');
  return {
    ref,
    path,
    read: (where: ActivityDeps) => call(where, 'read', { file_path: 'f' }),
    write: (where: ActivityDeps, content: string) => call(where, 'write', { file_path: 'f', content }),
    edit: (where: ActivityDeps, old_string: string, new_string: string) =>
      call(where, 'edit', { file_path: 'f', old_string, new_string }),
  };
}

test('is what we ship: what was not read is neither replaced nor edited, what was written is known', async () => {
  const worker = await workerProcess();
  const { path, read, write, edit } = await openSession(worker);
  writeFileSync(path, 'one');
  expect(await write(worker, 'x')).toBe('FS_NOT_OBSERVED');
  expect(await edit(worker, 'one', 'x')).toBe('FS_NOT_OBSERVED');
  expect(await read(worker)).toBe('ok');
  expect(await edit(worker, 'one', 'two')).toBe('ok');
  expect(await write(worker, 'three')).toBe('ok');
  expect(readFileSync(path, 'utf8')).toBe('three');
});

test('each session has to look for itself', async () => {
  const worker = await workerProcess();
  const alice = await openSession(worker);
  const bob = await openSession(worker);
  writeFileSync(alice.path, 'a');
  writeFileSync(bob.path, 'b');
  await alice.read(worker);
  expect([await alice.edit(worker, 'a', 'x'), await bob.edit(worker, 'b', 'x')]).toEqual(['ok', 'FS_NOT_OBSERVED']);
});

test('does not outlive the process, and neither a session that was released: reading again mends it', async () => {
  const worker = await workerProcess();
  const { ref, path, read, edit, write } = await openSession(worker);
  writeFileSync(path, '1');
  await read(worker);
  const restarted = await workerProcess();
  expect(await edit(restarted, '1', '2')).toBe('FS_NOT_OBSERVED');
  expect(await write(restarted, '2')).toBe('FS_NOT_OBSERVED');
  expect(await read(restarted)).toBe('ok');
  expect(await edit(restarted, '1', '2')).toBe('ok');
  await restarted.resources.release(ref.session);
  expect(await edit(restarted, '2', '3')).toBe('FS_NOT_OBSERVED');
  expect(readFileSync(path, 'utf8')).toBe('2');
});

test('the policy is the first to decide: only a plugin that comes before it is asked, and may ask it in turn', async () => {
  const worker = await workerProcess();
  const { path, edit } = await openSession(worker);
  writeFileSync(path, '1');
  const api = apiOf(worker);
  const asked: string[] = [];
  const after = api.on('fs/edit-intent', async () => void asked.push('after'));
  const before = api.on(
    'fs/edit-intent',
    async ({ file, last }, next) => {
      asked.push(`${file.displayPath} ${last?.kind ?? 'never seen'}`);
      return next();
    },
    'first',
  );
  expect(await edit(worker, '1', '2')).toBe('FS_NOT_OBSERVED');
  expect(asked).toEqual([`${path} never seen`]);
  before();
  api.on('fs/edit-intent', () => undefined, 'first');
  expect(await edit(worker, '1', '2')).toBe('ok');
  after();
});

test('listeners hear what was seen; one that throws fails the call after the file was written', async () => {
  const worker = await workerProcess();
  const { path, read, write } = await openSession(worker);
  const api = apiOf(worker);
  const heard: string[] = [];
  const off = api.on('fs/observed', ({ file, seen }) => void heard.push(`${file.identity} ${seen.kind}`));
  await read(worker);
  await write(worker, 'x');
  expect(heard).toEqual([`${path} absent`, `${path} present`]);
  off();
  api.on('fs/observed', () => {
    throw new Error('indexer broke');
  });
  expect(await write(worker, 'y')).toContain('indexer broke');
  expect(readFileSync(path, 'utf8')).toBe('y');
});
