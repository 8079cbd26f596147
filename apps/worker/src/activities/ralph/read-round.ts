import {
  childDiagnostic,
  childHeadline,
  childStop,
  MAX_DIAGNOSTIC_BYTES,
  readReport,
  type RalphReport,
  type SessionId,
  type TenantId,
} from '@everturn/core/domain';
import { utf8Head } from '@everturn/tools/kit';
import type { EndRoundInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { readEnd } from '../children/read-end.ts';

/** What came of a round's agent, by its own log. */
export type RoundEnding =
  | { agent: 'completed'; report: RalphReport }
  | { agent: 'completed' | 'failed' | 'cancelled'; problem: string };

/** Reads how an agent ended and what it reported; it has ended, so this never changes. */
export async function readRound(
  { database }: Pick<ActivityDeps, 'database'>,
  { tenant, child, limits, cancelled, failure }: Omit<EndRoundInput, 'commit'>,
): Promise<RoundEnding> {
  if (!child) return { agent: cancelled ? 'cancelled' : 'failed', problem: failure ?? 'no agent was started' };
  const { reason, output } = await readEnd(database, { tenant, child });
  const stop = childStop(reason, { mode: 'one-shot', cancelled });
  if (stop !== 'completed') {
    const known = childDiagnostic(reason) ?? failure;
    const told = known === undefined ? '' : `: ${utf8Head(known, MAX_DIAGNOSTIC_BYTES)}`;
    return { agent: stop === 'aborted' ? 'cancelled' : 'failed', problem: `${childHeadline(stop)}${told}` };
  }
  if (typeof output !== 'object') return { agent: 'failed', problem: 'its agent ended without a report' };
  const read = readReport(output.value, limits);
  return read.kind === 'report'
    ? { agent: 'completed', report: read.report }
    : { agent: 'completed', problem: read.problem };
}

/** The report that the round before handed on: it was good, or there would be no round after it. */
export async function lastReport(
  deps: Pick<ActivityDeps, 'database'>,
  {
    tenant,
    previous,
    limits,
  }: { tenant: TenantId; previous: SessionId | undefined; limits: Pick<EndRoundInput['limits'], 'maxHandoffChars'> },
): Promise<RalphReport | undefined> {
  if (!previous) return undefined;
  const { output } = await readEnd(deps.database, { tenant, child: previous });
  const read = typeof output === 'object' ? readReport(output.value, limits) : undefined;
  if (read?.kind === 'report') return read.report;
  throw new TypeError(`the agent ${previous} of the round before has no report in its log`);
}
