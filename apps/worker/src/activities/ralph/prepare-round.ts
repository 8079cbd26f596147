import { RALPH_REPORT_SCHEMA, roundLabel, roundPrompt } from '@everturn/core/domain';
import type { PrepareChildResult, PrepareRoundInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { prepareChild } from '../children/prepare-child.ts';
import { lastReport } from './read-round.ts';

/** Writes the row and the task of a round's agent; repeating it changes nothing. */
export async function prepareRound(deps: ActivityDeps, input: PrepareRoundInput): Promise<PrepareChildResult> {
  const { tenant, session, generation, child, config, sandbox, request, round, previous } = input;
  const { objective, maxRounds, row } = request;
  if (deps.subagentProviders.get(row.provider)?.context === 'parent')
    return {
      kind: 'refused',
      code: 'UNSUPPORTED_CAPABILITY',
      message: `the provider "${row.provider}" does not make agents with an empty context`,
    };
  const report = await lastReport(deps, { tenant, previous, limits: request });
  return prepareChild(deps, {
    tenant,
    session,
    generation,
    child,
    mode: 'one-shot',
    row,
    label: roundLabel(round),
    prompt: roundPrompt({ objective, round, maxRounds, previous: report }),
    config,
    ...(sandbox && { sandbox }),
    outputSchema: RALPH_REPORT_SCHEMA,
  });
}
