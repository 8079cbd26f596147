import type { TurnEndReason } from '@everturn/core/domain';
import { askListeners } from '../shared/ask-listeners.ts';
import { assemble } from '../proxies.ts';
import { listens } from '../step/step-state.ts';
import { failureReason, reasonOf } from './turn-end-reason.ts';
import { askerOf, type TurnState } from './turn-state.ts';

/** Composes what requests hold besides their history; again only after the registry has changed. */
export async function composeHeader(turn: TurnState): Promise<TurnEndReason | undefined> {
  const { now } = turn.permissions;
  const current = turn.assembly && turn.registry === turn.assembly.registry && turn.composedUnder === now;
  if (current && turn.assembled === 'current') return undefined;
  const config = turn.instance.header?.config;
  const { prefix } = turn.instance;
  const model = turn.knobs?.model?.now;
  turn.assembled = 'current';
  const result = await turn.writer.carry((commit) =>
    assemble({
      ...turn.ref,
      ...(config && { config }),
      ...(model && { model }),
      ...(prefix && { prefix }),
      ...(now && { permissions: now }),
      ...planOf(turn),
      commit,
    }),
  );
  if (result.kind === 'failed') return failureReason(turn, result);
  const { host } = turn.assembly ?? {};
  turn.assembly = { ...result.assembly, ...(host && { host }) };
  turn.registry = result.assembly.registry;
  if (now) turn.composedUnder = now;
  return undefined;
}

/** What the prompt of a session in plan mode says besides. */
const planOf = ({ knobs }: TurnState): { plan?: true } => (knobs?.plan?.active ? { plan: true } : {});

/** Composes the session prefix once per loop instance, just before its first request. */
export async function composePrefix(turn: TurnState): Promise<TurnEndReason | undefined> {
  const { assembly, instance } = turn;
  if (!assembly || instance.prefix || !listens({ assembly }, 'agent/session-prefix')) return undefined;
  const verdict = await askListeners(askerOf(turn), { point: 'agent/session-prefix' });
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
      commit,
    }),
  );
  if (result.kind === 'failed') return failureReason(turn, result);
  turn.assembly = { ...result.assembly, ...(assembly.host && { host: assembly.host }) };
  return undefined;
}
