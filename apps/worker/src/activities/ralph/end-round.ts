import { afterRalphRound, isReported, ralphText, text, type ContentBlock, type RalphEnd } from '@everturn/core/domain';
import { errorResult, ToolError } from '@everturn/tools/kit';
import type { EndRoundInput, EndRoundResult, ToolOutcome } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { lastReport, readRound } from './read-round.ts';

const ERROR_PREFIX = 'Error: ';

type Ended = Pick<EndRoundResult, 'agent'> & ({ kind: 'next' } | { kind: 'over'; outcome: ToolOutcome });

/** Reads and checks what came of a round, and says whether another follows or how the loop is over. */
export async function endRound(deps: ActivityDeps, input: EndRoundInput): Promise<Ended> {
  const { tenant, round, limits, cancelled, previous } = input;
  const ending = await readRound(deps, input);
  const { agent } = ending;
  // A loop that was told to end begins no round; what its last agent brought in time still counts.
  const after = 'report' in ending ? afterRalphRound({ round, ...limits, report: ending.report }) : undefined;
  if (after === 'next' && !cancelled) return { kind: 'next', agent };
  if (after && after !== 'next') return { kind: 'over', agent, outcome: await outcomeOf(deps, input, after) };
  const last = 'report' in ending ? ending.report : await lastReport(deps, { tenant, previous, limits });
  const end: RalphEnd = {
    status: cancelled ? 'cancelled' : 'round-failed',
    round,
    reason: cancelled ? 'the turn was stopped' : 'problem' in ending ? ending.problem : '',
    ...(last && { last }),
  };
  return { kind: 'over', agent, outcome: await outcomeOf(deps, input, end) };
}

async function outcomeOf({ values }: ActivityDeps, { tenant, limits }: EndRoundInput, end: RalphEnd) {
  const { maxResultChars } = limits;
  const travelling = (content: ContentBlock[]) => values.travel<ContentBlock[]>(tenant, content);
  if (isReported(end)) return { content: await travelling([text(ralphText(end, { maxResultChars }))]), isError: false };
  const code = end.status === 'cancelled' ? 'RALPH_CANCELLED' : 'RALPH_FAILED';
  const room = Math.max(1, maxResultChars - ERROR_PREFIX.length);
  const { content, error } = errorResult(new ToolError(code, ralphText(end, { maxResultChars: room })));
  return { content: await travelling(content), isError: true, ...(error && { error }) };
}
