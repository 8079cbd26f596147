import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { secretsKey } from './secrets-key.ts';

test('a key is made once, for its owner alone; one that is given goes first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'everturn-key-'));
  try {
    const file = join(folder, 'secrets-key');
    const made = secretsKey(file, undefined);
    expect([Buffer.from(made, 'base64').length, statSync(file).mode & 0o777]).toEqual([32, 0o600]);
    expect([secretsKey(file, ''), secretsKey(file, 'given')]).toEqual([made, 'given']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
