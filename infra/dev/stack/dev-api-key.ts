import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { InfraError } from '../../process/infra-error.ts';
import { askCli } from './run-cli.ts';

/** The tenant of everything one does on this machine. */
export const devTenant = 'dev';

/** The key of the dev tenant: the kept one while the API takes it, else a new one, kept for the next start. */
export async function devApiKey(file: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (kept && (await isAccepted(kept, environment['EVERTURN_API_URL'] ?? ''))) return kept;
  const answer = await askCli(['keys', 'create', '--tenant', devTenant], environment);
  const key = 'printed' in answer ? keyIn(answer.printed) : undefined;
  if (key === undefined) {
    const why = 'failed' in answer ? answer.failed : 'the command printed none';
    throw new InfraError(
      'INFRA_BOOTSTRAP_FAILED',
      `no API key: ${why}`,
      'try: npm run everturn -- keys create --tenant dev',
    );
  }
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/** The key in what `keys create` prints: the last word long enough to be a secret. */
export function keyIn(printed: string): string | undefined {
  return printed.split(/[\s"']+/).findLast((word) => /^[\w.-]{24,}$/.test(word));
}

async function isAccepted(key: string, apiUrl: string): Promise<boolean> {
  const answer = await fetch(`${apiUrl}/v1/host`, { headers: { authorization: `Bearer ${key}` } });
  return answer.ok;
}
