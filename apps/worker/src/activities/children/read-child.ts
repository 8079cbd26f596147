import {
  childDiagnostic,
  childErrorText,
  childStop,
  MAX_DIAGNOSTIC_BYTES,
  text,
  type ContentBlock,
  type TurnEndReason,
} from '@everturn/core/domain';
import { lastWords, lastTurnEnd, readSession } from '@everturn/core/postgres';
import type { SessionHeader } from '@everturn/core/protocol';
import { utf8Head } from '@everturn/tools/kit';
import type { ReadChildInput, ReadChildResult } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** What came of a child that has ended, by its own part of its log. */
export async function readChild(deps: ActivityDeps, input: ReadChildInput): Promise<ReadChildResult> {
  const { tenant, mode, cancelled, failure } = input;
  const { reason, words } = await readEnd(deps, input);
  const stop = childStop(reason, { mode, cancelled });
  if (stop === 'completed') return { stop, content: await deps.values.travel<ContentBlock[]>(tenant, [text(words)]) };
  const known = childDiagnostic(reason) ?? (stop === 'error' ? failure : undefined);
  const diagnostic = known === undefined ? undefined : utf8Head(known, MAX_DIAGNOSTIC_BYTES);
  const told = `Error: ${childErrorText({ stop, diagnostic, output: words })}`;
  return { stop, content: await deps.values.travel<ContentBlock[]>(tenant, [text(told)]) };
}

/** The end of a child's last turn and its last words, both of its own part of the log. */
async function readEnd(
  { database }: ActivityDeps,
  { tenant, child }: ReadChildInput,
): Promise<{ reason: TurnEndReason | undefined; words: string }> {
  const row = await readSession(database, { tenant, session: child });
  const { seedLength: from = 0 } = (row?.header ?? {}) as Partial<SessionHeader>;
  const key = { tenant, session: child, from };
  const [reason, words] = await Promise.all([lastTurnEnd(database, key), lastWords(database, key)]);
  return { reason, words };
}
