import { childErrorText, childStop, text, type ContentBlock } from '@everturn/core/domain';
import type { ReadChildInput, ReadChildResult } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { diagnosticOf } from './diagnostic-of.ts';
import { readEnd } from './read-end.ts';

/** What came of a child that has ended, by its own part of its log. */
export async function readChild(deps: ActivityDeps, input: ReadChildInput): Promise<ReadChildResult> {
  const { tenant, mode, cancelled, failure } = input;
  const { reason, words } = await readEnd(deps.database, input);
  const stop = childStop(reason, { mode, cancelled });
  if (stop === 'completed') return { stop, content: await deps.values.travel<ContentBlock[]>(tenant, [text(words)]) };
  const diagnostic = diagnosticOf(reason, stop === 'error' ? failure : undefined);
  const told = `Error: ${childErrorText({ stop, diagnostic, output: words })}`;
  return { stop, content: await deps.values.travel<ContentBlock[]>(tenant, [text(told)]) };
}
