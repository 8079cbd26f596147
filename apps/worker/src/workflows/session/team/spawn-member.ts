import { uuid4 } from '@temporalio/workflow';
import {
  callChild,
  FIRST_MESSAGE,
  isTeamError,
  memberFact,
  provisioned,
  provisioningError,
  spawnMember,
  type LeadFacts,
  type SessionId,
  type TeamReply,
  type TeamRequest,
  type TeamRules,
} from '@everturn/core/domain';
import { findMember, prepareChild } from '../../proxies.ts';
import { startStaying, type StayingChild } from '../../step/start-staying.ts';
import { keepChildren } from '../keep-children.ts';
import { sessionRef, type SessionState } from '../session-state.ts';
import { deliverMail } from './deliver-mail.ts';
import type { TeamDesk } from './open-desk.ts';
import { write } from './team-desk.ts';

interface Spawning {
  caller: SessionId;
  wish: Extract<TeamRequest, { operation: 'spawn' }>;
  rules: TeamRules;
  as: LeadFacts;
}

/** Makes a member. The log says that it is being made before anything is, so that whoever finds half of it can finish. */
export async function spawn(
  session: SessionState,
  desk: TeamDesk,
  { caller, wish, rules, as }: Spawning,
): Promise<TeamReply> {
  const { name, description, prompt, context } = wish;
  const id = `sub-${uuid4()}` as SessionId;
  const provider = context === 'fork' ? rules.forkProvider : rules.freshProvider;
  const member = spawnMember(desk.team, { caller, id, name, description, prompt, context, provider }, rules);
  if (isTeamError(member)) return { kind: 'team-refused', error: member };
  await write(session, desk, [memberFact(desk.team, member)]);
  const prepared = await prepareChild({
    ...sessionRef(session),
    child: id,
    mode: 'continuable',
    row: {
      provider,
      toolName: 'spawn_teammate',
      modelSelection: false,
      enableRunInBackground: true,
      backgroundMode: 'continuable',
      maxDepth: 'provider-managed',
    },
    label: `${name}: ${member.description}`,
    prompt,
    ...as,
    teammate: name,
  });
  if (prepared.kind === 'refused') {
    await settle(session, desk, id, { phase: 'failed', error: prepared.message });
    return { kind: 'team-refused', error: provisioningError(prepared) };
  }
  await startMember(session, { ...prepared, child: id });
  await settle(session, desk, id, { phase: 'active' });
  await deliverMail(session, desk, id);
  return { kind: 'team', value: { member: { ...member, phase: 'active' } } };
}

/** Finishes what an earlier life of the session had begun to make, or gives it up. */
export async function finishMember(session: SessionState, desk: TeamDesk, member: SessionId): Promise<void> {
  const { provider = '' } = desk.team.members.find(({ id }) => id === member) ?? {};
  const found = await findMember({ ...sessionRef(session), member, provider });
  if (found.kind === 'there') await startMember(session, { ...found, child: member });
  const error = 'the session of the lead ended before the member was made';
  await settle(session, desk, member, found.kind === 'there' ? { phase: 'active' } : { phase: 'failed', error });
}

async function settle(
  session: SessionState,
  desk: TeamDesk,
  id: SessionId,
  outcome: Parameters<typeof provisioned>[2],
): Promise<void> {
  const member = provisioned(desk.team, id, outcome);
  if (member) await write(session, desk, [memberFact(desk.team, member)]);
}

/** It has its task in hand before it can be done with it. */
function startMember(session: SessionState, member: Omit<StayingChild, 'intent'>): Promise<'started' | 'running'> {
  keepChildren(session, callChild(session.children, member.child, FIRST_MESSAGE));
  return startStaying(session.input, { ...member, intent: 'open' });
}
