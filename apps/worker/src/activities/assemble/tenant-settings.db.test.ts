import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SHELL_DEFAULTS, type JsonObject, type TenantId } from '@everturn/core/domain';
import { writeSettings } from '@everturn/core/postgres';
import { findTool } from '@everturn/tools/catalog';
import { assemble, session, tool } from '../testing/assembling.ts';
import { model, projection } from '../testing/servers.ts';
import { testProcess } from '../testing/test-process.ts';

test('a tenant says who its agents are and how much of a project they read; a session of its own goes first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'everturn-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'AGENTS.md'), 'Be quick.');
  const deps = await testProcess({ projection, model, tools: [tool('write')] });
  const told = async (options: object, tenant = 'settled') => {
    const { header } = await assemble(deps, await session(options, tenant, folder), { here: true });
    return [/Persona of [^.]+\./.exec(header?.system ?? '')?.[0], JSON.stringify(header?.messagePrefix)];
  };
  const say = (user: JsonObject) =>
    writeSettings(projection.database, {
      tenant: 'settled' as TenantId,
      namespace: 'prompt',
      change: () => ({ kind: 'changed', user, value: user }),
    });
  const rules = expect.stringContaining('Be quick.');
  expect(await told({})).toEqual([undefined, rules]);
  await say({ persona: 'Persona of {{model}}.', instructionsBytes: 0 });
  expect(await told({})).toEqual(['Persona of test.', undefined]);
  expect(await told({ systemPrompt: 'Persona of its own.' })).toEqual(['Persona of its own.', undefined]);
  expect(await told({}, 'acme')).toEqual([undefined, rules]);
  await say({ persona: 'Persona of {{nobody}}.' });
  expect(await told({})).toEqual([undefined, rules]);
});

test('what a tenant lets commands take is told to the model and to the step, from the next turn on', async () => {
  const tools = [{ definition: findTool('bash')! }, tool('write')];
  const deps = await testProcess({ projection, model, tools });
  const told = async (tenant: string) => {
    const { result, header } = await assemble(deps, await session({}, tenant));
    const [shell, write] = header?.tools ?? [];
    expect(write).toMatchObject({ name: 'write', parameters: { properties: {} } });
    const said = /Default [^;]*;/.exec(JSON.stringify(shell?.parameters))?.[0];
    return [result.kind === 'assembled' && result.assembly.shell, said];
  };
  const say = (user: JsonObject) =>
    writeSettings(projection.database, {
      tenant: 'hurried' as TenantId,
      namespace: 'shell',
      change: () => ({ kind: 'changed', user, value: user }),
    });
  const usual = [undefined, 'Default 60000, at most 600000;'];
  expect(await told('hurried')).toEqual(usual);
  await say({ timeoutMs: 5_000, maxTimeoutMs: 2_000 });
  const limits = { ...SHELL_DEFAULTS, timeoutMs: 5_000, maxTimeoutMs: 2_000 };
  expect(await told('hurried')).toEqual([limits, 'Default 2000, at most 2000;']);
  expect(await told('acme')).toEqual(usual);
  await say({ timeoutMs: -1 }); // as an older version may have let it pass
  expect(await told('hurried')).toEqual([SHELL_DEFAULTS, usual[1]]);
});
