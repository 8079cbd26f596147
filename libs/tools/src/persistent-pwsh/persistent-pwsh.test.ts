import { expect, test } from 'vitest';
import { openWorkspace, temporaryDirectory } from '../../test/workspace.ts';
import { toolKey } from '../catalog.ts';
import { persistentPwsh } from './schema.ts';

test('without PowerShell it says what to install, and the next call tries again', async () => {
  const workspace = await openWorkspace({ environment: { PATH: temporaryDirectory() } });
  for (const _ of [1, 2])
    expect(await workspace.call(toolKey(persistentPwsh), { command: 'Get-Location' })).toEqual({
      isError: true,
      text: 'Error: PowerShell is not installed on this machine: install PowerShell 7, so that "pwsh" is on the PATH of the worker, or use bash',
    });
});
