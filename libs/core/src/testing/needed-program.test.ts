import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { neededProgram } from './needed-program.ts';

test('a program is found in PATH; one that is absent says what to install', () => {
  const folder = mkdtempSync(join(tmpdir(), 'everturn-path-'));
  const file = join(folder, 'chromium');
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  expect(neededProgram('chromium', `/nowhere:${folder}`)).toEqual({ file, absent: false, note: '' });
  chmodSync(file, 0o644);
  expect(neededProgram('chromium', folder)).toEqual({
    file: 'chromium',
    absent: true,
    note: ' [skipped: chromium is missing; apt-get install -y chromium]',
  });
  rmSync(folder, { recursive: true });
});
