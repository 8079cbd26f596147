import {
  childDiagnostic,
  childErrorText,
  childStop,
  MAX_DIAGNOSTIC_BYTES,
  text,
  type ContentBlock,
} from '@everturn/core/domain';
import { utf8Head } from '@everturn/tools/kit';
import type { ReadChildInput, ReadChildResult } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { readEnd } from './read-end.ts';

/** What came of a child that has ended, by its own part of its log. */
export async function readChild(deps: ActivityDeps, input: ReadChildInput): Promise<ReadChildResult> {
  const { tenant, mode, cancelled, failure } = input;
  const { reason, words } = await readEnd(deps.database, input);
  const stop = childStop(reason, { mode, cancelled });
  if (stop === 'completed') return { stop, content: await deps.values.travel<ContentBlock[]>(tenant, [text(words)]) };
  const known = childDiagnostic(reason) ?? (stop === 'error' ? failure : undefined);
  const diagnostic = known === undefined ? undefined : utf8Head(known, MAX_DIAGNOSTIC_BYTES);
  const told = `Error: ${childErrorText({ stop, diagnostic, output: words })}`;
  return { stop, content: await deps.values.travel<ContentBlock[]>(tenant, [text(told)]) };
}
