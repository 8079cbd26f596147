import { FIRST_MESSAGE } from '@everturn/core/domain';
import { readPrompt, readSession, settledPrompts } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { TeamActivities } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { Courier } from '../children/courier.ts';
import { failingAs } from '../failure.ts';
import { answerTeam } from './answer-team.ts';
import { handMail } from './hand-mail.ts';
import { loadTeam } from './load-team.ts';

/** Makes the activities about teams. */
export function teamActivities(deps: ActivityDeps, courier: Courier): TeamActivities {
  return {
    loadTeam: (input) => failingAs(() => loadTeam(deps, input)),
    answerTeam: (input) => failingAs(() => answerTeam(deps, input)),
    handMail: (input) => failingAs(() => handMail(deps, courier, input)),
    readMail: ({ tenant, target, ids }) =>
      failingAs(async () => ({ read: await settledPrompts(deps.database, { tenant, session: target, ids }) })),
    findMember: (input) => failingAs(() => findMember(deps, input)),
  };
}

/** A member that was being made is there if it is this lead's, stays, was made as it was to be, and has its task. */
async function findMember(
  { database, searchAttributes }: ActivityDeps,
  { tenant, session: lead, member, provider }: Parameters<TeamActivities['findMember']>[0],
): ReturnType<TeamActivities['findMember']> {
  const key = { tenant, session: member };
  const [row, task] = await Promise.all([
    readSession(database, key),
    readPrompt(database, { ...key, promptId: FIRST_MESSAGE }),
  ]);
  const { delegation } = (row?.options ?? {}) as SessionOptions;
  const isOurs = row?.parent === lead && delegation?.mode === 'continuable' && delegation.provider === provider;
  if (!row || !isOurs || !task) return { kind: 'missing' };
  return { kind: 'there', preview: row.preview, searchAttributes: searchAttributes() };
}
