import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_RETRY, text, type HostId } from '@everturn/core/domain';
import { readSessionSkills, takeHost } from '@everturn/core/postgres';
import type { ActivityDeps } from './activity-deps.ts';
import { assignHostActivity } from './assign-host.ts';
import { boundHostActivity } from './bound-host.ts';
import { releaseSessionActivity } from './release-session.ts';
import { assemble, session, tool } from './testing/assembling.ts';
import { model, projection } from './testing/servers.ts';
import { apiOf, attempt, testProcess } from './testing/test-process.ts';

async function process(): Promise<ActivityDeps> {
  return testProcess({ projection, model, tools: [tool('write'), tool('bash')] });
}

test('composes identity, persona, guidance and tools in order, and says what they are', async () => {
  const deps = await process();
  apiOf(deps).guard(() => undefined);
  const ref = await session({ systemPrompt: 'Persona of {{model}}.', temperature: 0.5 });
  const { result, header, offer } = await assemble(deps, ref);
  expect(header?.system).toMatch(
    /^You are an agent .*\n\nPersona of test\.\n\nUse bash in \/work\/space\.\n\nUse write in \/work\/space\.$/,
  );
  expect(header).toMatchObject({
    config: { provider: 'scripted', model: 'test', temperature: 0.5 },
    tools: [{ name: 'bash' }, { name: 'write' }],
  });
  expect(header && 'messagePrefix' in header).toBe(false);
  expect(result).toMatchObject({
    kind: 'assembled',
    acks: [],
    assembly: {
      config: header?.config,
      registry: deps.registry.version(ref),
      listeners: ['tools/guard'],
      cwd: '/work/space',
      maxParallelToolCalls: 10,
      repeatReminder: { thresholds: [3, 5, 8], exclude: [] },
    },
  });
  expect(offer).toMatchObject({
    tools: { bash: { home: 'host', effect: 'at-most-once', timeoutMs: 1_000 } },
    settings: { todo: deps.settings.todo },
  });
});

test('what each step carries is as large for many tools as for few, and other retries are told', async () => {
  const many = Array.from({ length: 60 }, (_, n) => tool(`tool_${n}`));
  const few = await assemble(await process(), await session({}));
  const lots = await assemble(await testProcess({ projection, model, tools: many }), await session({}));
  const bytes = ({ result }: Awaited<ReturnType<typeof assemble>>) =>
    result.kind === 'assembled' ? JSON.stringify(result.assembly).length : Number.NaN;
  expect(Object.keys(lots.offer?.tools ?? {})).toHaveLength(60);
  expect(Math.abs(bytes(lots) - bytes(few))).toBeLessThan(10);

  const retry = { ...DEFAULT_RETRY, maxTransientRetries: 7 };
  const { result } = await assemble({ ...(await process()), retry }, await session({}));
  expect(result).toMatchObject({ assembly: { retry } });
});

test('equal headers have equal digests, in another process too', async () => {
  const ref = await session({});
  const digest = async (more: object = {}) => {
    const { result } = await assemble(await process(), ref, more);
    return result.kind === 'assembled' ? result.assembly.digest : result;
  };
  expect(await digest()).toBe(await digest());
  const prefix = [{ role: 'user', content: [text('first')] }];
  expect(await digest({ prefix })).not.toBe(await digest());
});

test('the tool filter of a session and listeners decide what is shown and may run', async () => {
  const deps = await process();
  const filtered = await assemble(deps, await session({ tools: { allow: ['bash'] } }));
  expect(filtered.header?.tools?.map(({ name }) => name)).toEqual(['bash']);
  expect(filtered.header?.system).not.toContain('Use write');

  apiOf(deps).on('system-prompt/assemble', async (_event, next) => {
    const { sections, tools } = await next();
    return { sections: [...sections, { name: 'last', order: 999, text: 'Be kind.' }], tools: tools.slice(1) };
  });
  const { header, offer } = await assemble(deps, await session({}));
  expect(header?.system).toMatch(/Be kind\.$/);
  expect(Object.keys(offer?.tools ?? {})).toEqual(['write']);
});

/** A folder with one skill of each kind. */
function skilledFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'everturn-skilled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, '.agents/skills'), { recursive: true });
  const kinds = { open: '', hidden: 'disable-model-invocation: true\n', own: 'user-invocable: false\n' };
  for (const [name, more] of Object.entries(kinds))
    writeFileSync(
      join(folder, '.agents/skills', `${name}.md`),
      `---\nname: ${name}\ndescription: to ${name}\n${more}---\nHow to ${name}.`,
    );
  return folder;
}

/** Which of the three a text or value names. */
const skillsIn = (value: unknown) => [...new Set(JSON.stringify(value ?? '').match(/to (?:open|hidden|own)/g) ?? [])];

test('a person calls for skills that the model is not shown, and for none that is not theirs to call', async () => {
  const folder = skilledFolder();
  const deps = await testProcess({ projection, model, tools: [tool('skill')] });
  const ref = await session({}, 'acme', folder);
  const { result, header } = await assemble(deps, ref, { here: true, calledFor: ['hidden', 'own', 'nobody'] });
  expect(skillsIn(header?.messagePrefix)).toEqual(['to open', 'to own']);
  expect(result.kind === 'assembled' && result.workspace?.invoked).toMatchObject([
    { source: { kind: 'skill-invocation', name: 'hidden' } },
  ]);
  const kept = async () => (await readSessionSkills(deps.database, ref))?.skills.map(({ name }) => name);
  expect(await kept()).toEqual(['hidden', 'open', 'own']);
  // The list that models see stays the same, and people are told of another one all the same.
  rmSync(join(folder, '.agents/skills/hidden.md'));
  const skills = result.kind === 'assembled' ? result.workspace?.skills : undefined;
  const again = await assemble(deps, ref, { here: true, prefix: [], skills });
  expect(again.result).toMatchObject({ workspace: { skills } });
  expect(again.result).not.toHaveProperty('workspace.catalog');
  expect(await kept()).toEqual(['open', 'own']);
});

test('a model without the tool that loads skills is told of none; people may still call for them', async () => {
  const ref = await session({}, 'acme', skilledFolder());
  const { result, header } = await assemble(await process(), ref, { here: true, calledFor: ['open'] });
  expect(skillsIn(header?.messagePrefix)).toEqual([]);
  expect(result.kind === 'assembled' && result.workspace?.invoked).toHaveLength(1);
  expect((await readSessionSkills(projection.database, ref))?.skills).toHaveLength(3);
});

test('a session without a workspace has the skills of plugins', async () => {
  const { promptSection: _, ...definition } = tool('skill').definition; // it speaks of a workspace
  const deps = await testProcess({ projection, model, tools: [{ definition }] });
  apiOf(deps).skill({ name: 'bow', description: 'to bow', instructions: 'Bow low.' });
  const ref = await session({}, 'acme', null);
  const { result, header } = await assemble(deps, ref, { calledFor: ['bow'] });
  expect(JSON.stringify(header?.messagePrefix)).toContain('- bow: to bow');
  expect(result.kind === 'assembled' && result.workspace?.invoked).toHaveLength(1);
  expect((await readSessionSkills(deps.database, ref))?.skills).toMatchObject([{ name: 'bow', source: 'plugin' }]);
});

test('that a session has no skills is remembered, too', async () => {
  const deps = await testProcess({ projection, model, tools: [tool('skill')] });
  const ref = await session({}, 'acme', null);
  expect(await readSessionSkills(deps.database, ref)).toBeUndefined();
  await assemble(deps, ref);
  expect((await readSessionSkills(deps.database, ref))?.skills).toEqual([]);
});

test('while a place cannot be looked at the last good list of skills stands', async () => {
  const ref = await session({}, 'acme', skilledFolder());
  const deps = await testProcess({ projection, model, tools: [tool('skill')] });
  const failing = { ...deps.ports.skills, list: async () => ({ skills: [], complete: false }) };
  const blind = { ...deps, ports: { ...deps.ports, skills: failing } };
  const news = async (with_: ActivityDeps, more: object) => {
    const { result } = await assemble(with_, ref, { here: true, ...more });
    const { skills, catalog } = (result.kind === 'assembled' && result.workspace) || {};
    return { skills, told: catalog && skillsIn(catalog) };
  };
  const first = await news(blind, {});
  expect(first).toEqual({ skills: undefined, told: undefined });
  const found = await news(deps, { prefix: [] });
  expect(found).toEqual({ skills: expect.any(String), told: ['to open', 'to own'] });
  const { skills } = found;
  expect(await news(blind, { prefix: [], skills })).toEqual({ skills, told: undefined });
  expect((await readSessionSkills(projection.database, ref))?.skills).toHaveLength(3);
});

test('sessions get the sets they ask for, or those of the deployment', async () => {
  const tools = [tool('bash'), tool('bash', 'kept'), tool('open', 'terminal')];
  const deps = { ...(await testProcess({ projection, model, tools })), toolsets: ['terminal'] };
  const shown = async (options: object) => {
    const { header } = await assemble(deps, await session(options));
    return header?.tools?.map(({ description }) => description);
  };
  expect(await shown({})).toEqual(['does bash', 'does open for terminal']);
  expect(await shown({ toolsets: [] })).toEqual(['does bash']);
  expect(await shown({ toolsets: ['kept', 'terminal'] })).toEqual(['does bash for kept', 'does open for terminal']);
});

test('a session is released on the live host it is bound to, and nowhere else', async () => {
  const host = 'releasing' as HostId;
  const deps = await process();
  const ref = await session({});
  const found = async () => (await attempt(boundHostActivity(deps), ref).result).host;
  expect(await found()).toBeNull();
  await takeHost(projection.database, { host, holder: 'one', roots: ['/work'] });
  await projection.database
    .updateTable('sessions')
    .set({ host_id: host, host_epoch: 1 })
    .where('id', '=', ref.session)
    .execute();
  expect(await found()).toBe(host);
  let ended = 0;
  await deps.resources.of(ref.session).open('x/1', async () => ({ dispose: async () => void (ended += 1) }));
  await attempt(releaseSessionActivity(deps), ref).result;
  expect([ended, deps.resources.of(ref.session).has('x/1')]).toEqual([1, false]);
  await projection.database
    .updateTable('hosts')
    .set({ last_seen: new Date(0) })
    .where('host_id', '=', host)
    .execute();
  expect(await found()).toBeNull();
});

test.each([
  [{ toolsets: ['nope'] }, 'PLUGIN_UNKNOWN_TOOLSET', 'no set is named "nope"'],
  [{ provider: 'nowhere', model: 'x' }, 'NO_ADAPTER', 'no provider "nowhere" is configured; configured: scripted'],
  [{ tools: { allow: ['nope'] } }, 'PLUGIN_UNKNOWN_TOOL', 'no tool is named "nope"'],
  [{ systemPrompt: '{{nope}}' }, 'PLUGIN_INVALID_TEMPLATE', '{{nope}} has no value here'],
])('%j is a refusal the turn can end with', async (options, code, message) => {
  const { result } = await assemble(await process(), await session(options));
  expect(result).toMatchObject({ kind: 'failed', code, message: expect.stringContaining(message) });
});

test('a session without a model of its own gets the first its provider serves', async () => {
  const { header } = await assemble(await process(), await session({ provider: 'scripted' }));
  expect(header?.config).toEqual({ provider: 'scripted', model: 'scripted-demo' });
});

test('a bound machine is part of it at its present epoch', async () => {
  const host = 'bound' as HostId;
  await takeHost(projection.database, { host, holder: 'one', roots: ['/work'] });
  const deps = await process();
  const ref = await session({});
  const ask = { ...ref, cwd: '/work/space' };
  expect(await attempt(assignHostActivity(deps), ask).result).toEqual({ kind: 'assigned', host, epoch: 1 });
  await takeHost(projection.database, { host, holder: 'two', roots: ['/work'], deadHolder: 'one' });
  const { result } = await assemble(deps, ref);
  expect(result).toMatchObject({ assembly: { host: { host, epoch: 2 } } });
  const elsewhere = { ...(await session({})), cwd: '/somewhere/else' };
  expect(await attempt(assignHostActivity(deps), elsewhere).result).toMatchObject({ kind: 'none' });
});

test('plan mode is told to the model, and where it refuses, what may still run; a chosen model goes before the usual one', async () => {
  const deps = await process();
  const [told, refusing] = [await session({}), await session({ planEnforcement: 'deny' })];
  const plain = await assemble(deps, told);
  expect(plain.header?.system).not.toContain('Plan first.');
  expect(plain.result).not.toHaveProperty('assembly.plan');
  const planning = await assemble(deps, told, { plan: true });
  expect(planning.header?.system).toMatch(/\n\nPlan first\.\n\nUse bash/);
  expect(planning.result).toHaveProperty('assembly.plan', {});
  const denied = await assemble(deps, refusing, { plan: true });
  expect(denied.header?.system).toContain('Plan first.\nUntil then every tool that is not read-only is refused.');
  expect(denied.result).toHaveProperty('assembly.plan', { readOnly: [] });
  const config = { provider: 'scripted', model: 'test', temperature: 0.5 };
  const chosen = await assemble(deps, told, { config, model: { provider: 'scripted', model: 'other' } });
  expect(chosen.header?.config).toEqual({ ...config, model: 'other' });
  const gone = await assemble(deps, told, { model: { provider: 'gone', model: 'other' } });
  expect(gone.result).toMatchObject({ kind: 'failed', code: 'NO_ADAPTER' });
});

test('a folder is read where it is: here, or by whoever is asked because it is elsewhere', async () => {
  const deps = await process();
  const ref = await session({});
  const { machine: _, ...modelWorker } = deps;
  expect((await assemble(modelWorker, ref)).result).toMatchObject({ elsewhere: true });
  // The folder of these sessions is on no machine; whoever is asked for good says so once.
  const asked = await assemble(modelWorker, ref, { here: true });
  expect(asked.result).toMatchObject({ workspace: { prefix: [] } });
  expect(asked.result).not.toHaveProperty('elsewhere');
  expect((await assemble(modelWorker, ref, { prefix: [] })).result).not.toHaveProperty('elsewhere');
  expect((await assemble(modelWorker, ref, { prefix: [], calledFor: ['tidy'] })).result).toMatchObject({
    elsewhere: true,
  });
});
