import type { SandboxMode } from '@everturn/core/domain';
import { promptsOfTurn, readHead } from '@everturn/core/postgres';
import type { RecoverInput, RecoverResult } from '../contract/index.ts';
import { asProjectionError, ProjectionError } from './errors.ts';
import { foundRows } from './found-rows.ts';
import type { Projection } from './projection.ts';
import { raiseGeneration } from './raise-generation.ts';
import { repairTail } from './repair-tail.ts';
import { sessionKnobs } from './session-knobs.ts';
import { sessionPermissions } from './session-permissions.ts';

/**
 * Closes a turn whose workflow died: generation first, so that nothing of it can write any more, then its claims, then
 * the closing events. A repeated attempt of the same run answers the same; throws `LOG_FENCED` for a run that is itself dead.
 */
export async function recover(
  projection: Projection,
  input: RecoverInput,
  { permissionMode }: { permissionMode?: SandboxMode } = {},
): Promise<RecoverResult> {
  const { tenant, session, turn, runId } = input;
  const generation = await raiseGeneration(projection, {
    tenant,
    session,
    // A number is used again if its turn never wrote, so that it alone does not say which death this is.
    raisedBy: `${runId}/turn:${turn}/${input.generation}`,
    judge: (found) => (found.generation === input.generation ? 'raise' : fenced(input, found.generation)),
  });
  if (generation === undefined) throw new ProjectionError('LOG_MISSING', `there is no session ${session}`);
  const ref = { tenant, session, generation };
  const acks = await repairTail(projection, ref);
  if (acks.length > 0) projection.notifier.notify([ref]);
  const [head, found, prompts, admitted] = await asProjectionError(() =>
    Promise.all([
      readHead(projection.database, ref),
      foundRows(projection, ref),
      promptsOfTurn(projection.database, { ...ref, turn }),
      wasAdmitted(projection, { tenant, session, turn }),
    ]),
  );
  const [permissions, knobs] = await asProjectionError(() =>
    Promise.all([
      permissionMode && sessionPermissions(projection, ref, permissionMode),
      sessionKnobs(projection.database, ref),
    ]),
  );
  return {
    ...(permissions && { permissions }),
    ...(knobs && { knobs }),
    acks,
    generation,
    lastTurn: head?.lastTurn ?? 0,
    highestAcknowledged: (head?.nextSeq ?? 0) - 1,
    found,
    consumed: prompts.filter(({ state }) => admitted || state === 'done').map(({ promptId }) => promptId),
    ...(admitted && { admitted }),
  };
}

/** Whether the turn came so far as to say what became of its message; a row says only who has it. */
async function wasAdmitted(
  { database }: Projection,
  { tenant, session, turn }: Pick<RecoverInput, 'tenant' | 'session' | 'turn'>,
): Promise<boolean> {
  const row = await database
    .selectFrom('session_events')
    .select('seq')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('turn', '=', turn)
    .where('type', 'in', ['user/message', 'prompt/blocked'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function fenced({ session, generation }: RecoverInput, current: number): ProjectionError {
  return new ProjectionError(
    'LOG_FENCED',
    `session ${session} is at generation ${current}, its recovery at ${generation}`,
  );
}
