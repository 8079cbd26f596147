import { readSession, type SessionRow } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { OpenLogResult } from '../contract/index.ts';
import type { Projection } from './projection.ts';

type Parent = Extract<OpenLogResult, { kind: 'opened' }>['parent'];

/** Who started an agent that stays, and whether that one is still open; of any other session nothing. */
export async function parentOf(
  { database }: Projection,
  { tenant, parent, options }: SessionRow,
): Promise<Parent | undefined> {
  if (parent === undefined || (options as SessionOptions).delegation?.mode !== 'continuable') return undefined;
  const row = await readSession(database, { tenant, session: parent });
  return row && { session: parent, state: row.status === 'closed' ? 'closed' : 'open' };
}
