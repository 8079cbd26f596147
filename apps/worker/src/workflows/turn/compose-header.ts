import type { TurnEndReason } from '@everturn/core/domain';
import { patched } from '@temporalio/workflow';
import type { LoopInstance } from '@everturn/core/protocol';
import type { AssembleInput, AssembleResult } from '../../contract/index.ts';
import { askListeners } from '../shared/ask-listeners.ts';
import { assemble, assignHost } from '../proxies.ts';
import { isNotPickedUp } from '../step/lost-call.ts';
import { listens } from '../step/step-state.ts';
import { failureReason, reasonOf } from './turn-end-reason.ts';
import { skillsCalledFor } from './skills-called-for.ts';
import { appendNews, askerOf, type TurnState } from './turn-state.ts';

/** Composes what requests hold besides their history; again only after the registry has changed. */
export async function composeHeader(turn: TurnState): Promise<TurnEndReason | undefined> {
  const { now } = turn.permissions;
  const called = turn.assembly !== undefined && turn.calledFor.length > 0;
  const current = turn.assembly && turn.registry === turn.assembly.registry && turn.composedUnder === now && !called;
  if (current && turn.assembled === 'current') return undefined;
  const config = turn.instance.header?.config;
  const model = turn.knobs?.model?.now;
  turn.assembled = 'current';
  const result = await assembleOnce(turn, { ...(config && { config }), ...(model && { model }), ...planOf(turn) });
  if (result.kind === 'failed') return failureReason(turn, result);
  const { host } = turn.assembly ?? {};
  turn.assembly = { ...result.assembly, ...(host && { host }) };
  turn.registry = result.assembly.registry;
  if (now) turn.composedUnder = now;
  takeNews(turn, result);
  if (turn.calledFor.length > 0) return composeHeader(turn);
  // What was just called for is told before the request that follows the call.
  if (called) appendNews(turn);
  return undefined;
}

/** What the prompt of a session in plan mode says besides. */
const planOf = ({ knobs }: TurnState): { plan?: true } => (knobs?.plan?.active ? { plan: true } : {});

/** Asks the worker that composes, and the machine that has the session's folder where that is another. */
async function assembleOnce(
  turn: TurnState,
  about: Pick<AssembleInput, 'config' | 'model' | 'plan'>,
): Promise<AssembleResult> {
  const { permissions, instance, ref, writer } = turn;
  const calledFor = turn.assembly ? turn.calledFor.shift() : skillsCalledFor(turn.input.message);
  const { digest } = knownSkills(turn) ?? {};
  const input = {
    ...ref,
    ...about,
    ...(instance.prefix && { prefix: instance.prefix }),
    ...(digest !== undefined && { skills: digest }),
    ...(calledFor && { calledFor }),
    ...(permissions.now && { permissions: permissions.now }),
  };
  const result = await writer.carry((commit) => assemble({ ...input, commit }));
  if (result.kind === 'failed' || !result.elsewhere) return result;
  const { cwd } = result.assembly;
  const assigned = await assignHost({ ...ref, ...(cwd !== undefined && { cwd }) });
  if (assigned.kind === 'none') return result; // its tools will say so
  try {
    return await writer.carry((commit) => assemble({ ...input, here: true, commit }, assigned.host));
  } catch (error) {
    // The machine is busy, or died and nobody knows yet: what was composed without its folder has to do.
    if (isNotPickedUp(error) && patched('composed-without-folder')) return result;
    throw error;
  }
}

const knownSkills = ({ skills, instance }: TurnState): LoopInstance['skills'] => skills ?? instance.skills;

function takeNews(turn: TurnState, result: Extract<AssembleResult, { kind: 'assembled' }>): void {
  const { workspace, assembly } = result;
  if (!workspace) return;
  const { prefix, skills, catalog, invoked = [] } = workspace;
  if (prefix && listens({ assembly }, 'agent/session-prefix')) turn.basePrefix = prefix;
  else if (prefix) turn.instance = { ...turn.instance, prefix };
  const told = catalog ?? knownSkills(turn)?.told;
  turn.skills = { ...(skills !== undefined && { digest: skills }), ...(told && { told }) };
  turn.news.push(...(catalog ? [catalog] : []), ...invoked);
}

/** Composes the session prefix once per loop instance, just before its first request. */
export async function composePrefix(turn: TurnState): Promise<TurnEndReason | undefined> {
  const { assembly, instance, basePrefix } = turn;
  if (!assembly || instance.prefix || !listens({ assembly }, 'agent/session-prefix')) return undefined;
  const question = { point: 'agent/session-prefix', ...(basePrefix && { messages: basePrefix }) } as const;
  const verdict = await askListeners(askerOf(turn), question);
  if (verdict.kind === 'stopped') return reasonOf(turn);
  if (verdict.kind === 'threw') return failureReason(turn, verdict);
  turn.instance = { ...instance, prefix: verdict.decision.messages };
  const { prefix } = turn.instance;
  const { now } = turn.permissions;
  const result = await turn.writer.carry((commit) =>
    assemble({
      ...turn.ref,
      config: assembly.config,
      ...(prefix && { prefix }),
      ...(now && { permissions: now }),
      ...planOf(turn),
      news: 'skip',
      commit,
    }),
  );
  if (result.kind === 'failed') return failureReason(turn, result);
  turn.assembly = { ...result.assembly, ...(assembly.host && { host: assembly.host }) };
  return undefined;
}
