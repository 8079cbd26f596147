import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '@everturn/core/domain';
import type { Database } from '@everturn/core/postgres';
import { allPids, heldTerminals } from '../../../../libs/tools/test/held-terminals.ts';

/** What a worker holds at one moment. */
export interface HeldByWorker {
  /** Every test that opens some closes their session. */
  terminals: number;
  /** Sessions that processes of this machine work for. */
  sessions: SessionId[];
}

/** Looks at once, without waiting for anything. */
export function heldByWorker(pid: number): HeldByWorker {
  return { terminals: heldTerminals(pid), sessions: [...new Set(allPids().flatMap(sessionOf))] };
}

/** Leaves a file for each thing that should be gone where the end of a run looks for files. */
export async function tellWhatIsHeld(database: Database, { terminals, sessions }: HeldByWorker): Promise<void> {
  if (terminals > 0) leave(`${terminals}-terminals`);
  if (sessions.length === 0) return;
  const closed = database.selectFrom('sessions').select('id').where('status', '=', 'closed');
  for (const { id } of await closed.where('id', 'in', sessions).execute()) leave(`a-process-of-closed-session-${id}`);
}

const leave = (what: string): void => writeFileSync(join(tmpdir(), `everturn-worker-still-holds-${what}`), '');

function sessionOf(pid: number): SessionId[] {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1');
    const [, session] = /(?:^|\0)EVERTURN_PROCESS_SESSION=([^\0]+)/.exec(variables) ?? [];
    return session === undefined ? [] : [session as SessionId];
  } catch {
    return []; // no process, one that is gone, or somebody else's
  }
}
