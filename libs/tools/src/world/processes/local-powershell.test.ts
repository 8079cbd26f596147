import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/workspace.ts';
import { firstProgram, LocalPowershell, windowsPrograms } from './local-powershell.ts';

/** An executable file of this name in a folder of its own. */
function program(name: string): { folder: string; file: string } {
  const folder = temporaryDirectory();
  const file = join(folder, name);
  writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  return { folder, file };
}

test('the configured one is taken as it is, whatever PATH has', async () => {
  const { file } = program('my-powershell');
  const { folder } = program('pwsh');
  const powershell = new LocalPowershell({ configured: file, environment: { PATH: folder } });
  expect(await powershell.find()).toBe(file);
});

test('a configured one that cannot be run is told, and no other is taken', async () => {
  const { folder } = program('pwsh');
  const powershell = new LocalPowershell({ configured: '/nowhere/pwsh', environment: { PATH: folder } });
  await expect(powershell.find()).rejects.toThrow('EVERTURN_PWSH_PATH is of no use, correct or unset it');
});

test('the first that PATH has; one that is installed later is seen', async () => {
  const empty = temporaryDirectory();
  mkdirSync(join(empty, 'pwsh'));
  const later = temporaryDirectory();
  const powershell = new LocalPowershell({ platform: 'linux', environment: { PATH: `${empty}:${later}` } });
  await expect(powershell.find()).rejects.toThrow('PowerShell is not installed on this machine: install PowerShell 7');
  symlinkSync(program('powershell').file, join(later, 'pwsh'));
  expect(await powershell.find()).toBe(join(later, 'pwsh'));
});

test('Windows: 7 under Program Files, then PATH without its quotes, then 5.1', () => {
  const environment = { ProgramFiles: 'D:\\Programs', SystemRoot: 'D:\\Win', PATH: '"C:\\a b\\";;C:\\c' };
  expect(windowsPrograms(environment)).toEqual([
    'D:\\Programs\\PowerShell\\7\\pwsh.exe',
    'C:\\a b\\pwsh.exe',
    'C:\\c\\pwsh.exe',
    'D:\\Win\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
  ]);
  expect(windowsPrograms({})).toEqual([
    'C:\\Program Files\\PowerShell\\7\\pwsh.exe',
    'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
  ]);
});

test('folders and what is not there are passed over; links are taken, also those nothing can follow', async () => {
  const folder = temporaryDirectory();
  const at = (name: string) => join(folder, name);
  mkdirSync(at('folder'));
  symlinkSync(at('folder'), at('link-to-folder'));
  symlinkSync(at('absent'), at('alias'));
  writeFileSync(at('file'), '');
  symlinkSync(at('file'), at('link'));
  const none = [at('absent'), at('folder'), at('link-to-folder')];
  expect(await firstProgram(none)).toBeUndefined();
  for (const name of ['file', 'link', 'alias']) expect(await firstProgram([...none, at(name)])).toBe(at(name));
});
