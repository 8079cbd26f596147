import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { InfraError } from '../../process/infra-error.ts';
import { askCli } from './run-cli.ts';

/** The tenant of everything one does on this machine. */
export const devTenant = 'dev';

/** The key of the dev tenant: the kept one while the API takes it, else a new one, kept for the next start. */
export async function devApiKey(file: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (kept && (await isAccepted(kept, environment['EVERTURN_API_URL'] ?? ''))) return kept;
  const answer = await askCli(
    ['keys', 'create', '--tenant', devTenant, '--admin', '--name', 'npm run up', '--json'],
    environment,
  );
  const key = 'printed' in answer ? keyIn(answer.printed) : undefined;
  if (key === undefined) {
    const why = 'failed' in answer ? answer.failed : 'the command printed none';
    const remedy = 'try: npm run everturn -- keys create --tenant dev';
    throw new InfraError('INFRA_BOOTSTRAP_FAILED', `no API key: ${why}`, remedy);
  }
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return key;
}

/** The key in what `keys create --json` prints. */
export function keyIn(printed: string): string | undefined {
  try {
    const { key } = JSON.parse(printed) as { key?: unknown };
    return typeof key === 'string' && key !== '' ? key : undefined;
  } catch {
    return undefined;
  }
}

async function isAccepted(key: string, apiUrl: string): Promise<boolean> {
  const answer = await fetch(`${apiUrl}/v1/host`, { headers: { authorization: `Bearer ${key}` } });
  return answer.ok;
}
