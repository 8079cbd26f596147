import { childStop, type ChildStop, type JsonValue } from '@everturn/core/domain';
import {
  recorded,
  subCallClaim,
  toolOutcome,
  type ReadAgentInput,
  type ReadAgentResult,
  type ToolOutcome,
} from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { readEnd } from './read-end.ts';

/** What came of an agent of a script. The claim keeps it, so that the script hears the same whenever it runs again. */
export async function readAgent(deps: ActivityDeps, input: ReadAgentInput): Promise<ReadAgentResult> {
  const { tenant, session, generation, turn, step, call, parent } = input;
  const { outcome } = await deps.effects.run<JsonValue>({
    tenant,
    session,
    generation,
    turn,
    step,
    claim: subCallClaim(turn, step, parent, call.index),
    label: call.name,
    perform: async () => ({ kind: 'settled', outcome: recorded(await answerOf(deps, input)) }),
    afterLapse: 'run-again',
    closed: () => recorded(answer('aborted', null)),
  });
  const kept = toolOutcome(outcome);
  return { outcome: kept, stop: kept.meta as ChildStop };
}

async function answerOf(deps: ActivityDeps, { tenant, child, cancelled }: ReadAgentInput): Promise<ToolOutcome> {
  const { reason, words, output } = await readEnd(deps.database, { tenant, child });
  const stop = childStop(reason, { mode: 'one-shot', cancelled });
  if (stop !== 'completed') return answer(stop, null);
  // Whoever was to give data and did not has failed, whatever it said.
  if (output === 'missing') return answer('error', null);
  return answer(stop, await deps.values.travel<JsonValue>(tenant, output === 'unasked' ? words : output.value));
}

const answer = (stop: ChildStop, value: NonNullable<ToolOutcome['forProgram']>['value']): ToolOutcome => ({
  content: [],
  isError: false,
  meta: stop,
  forProgram: { value },
});
