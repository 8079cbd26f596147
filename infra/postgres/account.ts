import { readFileSync } from 'node:fs';
import { InfraError } from '../process/infra-error.ts';

/** The unprivileged user Postgres runs as when we are root; Postgres refuses user id 0. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The account to run Postgres under, or undefined when we are not root and run it as ourselves. */
export function postgresAccount(passwd = () => readFileSync('/etc/passwd', 'utf8')): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entries = passwd()
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = entries.find((fields) => fields[0] === name);
    if (entry) return { name, uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new InfraError(
    'INFRA_ACCOUNT_MISSING',
    'Postgres cannot run as root, and there is no user postgres or nobody',
    'add one of them, or start as a plain user',
  );
}
