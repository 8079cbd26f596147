import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ToolCallContext } from '@everturn/tools/kit';
import type { ActivityDeps } from '../activity-deps.ts';
import type { CallPlace } from './call-place.ts';
import { sandboxPolicy } from './sandbox-policy.ts';
import { refuseStrayedWorkspace } from './strayed-workspace.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'everturn-strayed-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const [root, outside] = [join(base, 'root'), join(base, 'outside')];
for (const folder of [join(root, 'inside'), outside]) mkdirSync(folder, { recursive: true });
symlinkSync(outside, join(root, 'leads-out'));
symlinkSync(join(root, 'inside'), join(root, 'stays'));

const deps = {
  facts: { read: async () => ({ options: {} }) },
  settings: { sandbox: { network: 'full', limits: {} } },
  permissionMode: 'workspace-write',
} as unknown as ActivityDeps;

test.each([
  [join(root, 'inside'), 'runs'],
  [join(root, 'stays'), 'runs'],
  [join(root, 'not-there'), 'runs'],
  [undefined, 'runs'],
  [join(root, 'leads-out'), 'WORKSPACE_NOT_ALLOWED'],
  [outside, 'WORKSPACE_NOT_ALLOWED'],
])('a call in %s: %s', async (cwd, expected) => {
  const project = { allows: async (folder: string) => folder.startsWith(`${root}/`) };
  const place = { ...(cwd !== undefined && { cwd }) } as CallPlace;
  const sandbox = await sandboxPolicy(deps, place, cwd ?? '/own/folder');
  const context = { ports: { project }, sandbox } as unknown as ToolCallContext;
  const said = await refuseStrayedWorkspace(context, place).then(
    () => 'runs',
    ({ code }: { code: string }) => code,
  );
  expect(said).toBe(expected);
});
