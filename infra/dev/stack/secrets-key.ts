import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The key under which this machine's stack hides stored secrets: the one that is given, else one kept beside the data. */
export function secretsKey(file: string, given: string | undefined): string {
  if (given) return given;
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const key = randomBytes(32).toString('base64');
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return key;
}
