import { ApplicationFailure } from '@temporalio/common';
import type { ContentBlock, MaybeRef } from '@everturn/core/domain';
import { readOutcomes } from '@everturn/core/postgres';
import { resultText } from '@everturn/tools/kit';
import type { CallAnswer } from '@everturn/tools/world';
import { subCallClaim, toolOutcome, type JournalEntry, type RunProgramInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** The answers of a journal from a place on, in order; what lies in claims is read from there. */
export async function readAnswers(deps: ActivityDeps, input: RunProgramInput, from: number): Promise<CallAnswer[]> {
  const { tenant, session, turn, step, call } = input;
  const entries = input.journal.slice(from);
  const claimOf = (n: number) => subCallClaim(turn, step, call, n);
  const claimed = entries.filter((entry) => typeof entry === 'number');
  const outcomes = await readOutcomes(deps.database, { tenant, session, keys: claimed.map(claimOf) });
  const answers: CallAnswer[] = [];
  for (const entry of entries) {
    const outcome = typeof entry === 'number' ? outcomes.get(claimOf(entry)) : undefined;
    if (typeof entry === 'number' && outcome === undefined)
      throw ApplicationFailure.nonRetryable(`the outcome of ${claimOf(entry)} does not exist`, 'OUTCOME_MISSING');
    answers.push(
      typeof entry === 'number'
        ? await answerOf(deps, input, claimedEntry(entry, toolOutcome(outcome ?? null)))
        : await answerOf(deps, input, entry),
    );
  }
  return answers;
}

function claimedEntry(n: number, { content, isError, forProgram }: ReturnType<typeof toolOutcome>) {
  return forProgram ? { n, value: forProgram.value } : { n, content, isError };
}

async function answerOf(
  { values }: ActivityDeps,
  { tenant }: RunProgramInput,
  entry: Exclude<JournalEntry, number>,
): Promise<CallAnswer> {
  const { n } = entry;
  if ('value' in entry) return { n, kind: 'value', json: JSON.stringify(await values.resolve(tenant, entry.value)) };
  const text = resultText({
    content: await values.resolve<ContentBlock[]>(tenant, entry.content as MaybeRef<ContentBlock[]>),
  });
  return entry.isError
    ? { n, kind: 'error', message: text.replace(/^Error: /, '') }
    : { n, kind: 'value', json: JSON.stringify(text) };
}
