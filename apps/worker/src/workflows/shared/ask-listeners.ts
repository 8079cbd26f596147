import { assertNever, type AnnouncedHook, type HookContext, type HostId } from '@everturn/core/domain';
import type { SessionOwner } from '@everturn/core/protocol';
import {
  CANCEL_GRACE_MS,
  hookClaim,
  hookPlace,
  type InterceptInput,
  type Interception,
  type InterceptionDecisions,
  type InterceptionPoint,
  type SessionRef,
} from '../../contract/index.ts';
import { announceHooks, type Announced } from './announce-hooks.ts';
import type { LogWriter } from './log-writer.ts';
import { isNotPickedUp } from '../step/lost-call.ts';
import { intercept } from '../proxies.ts';
import type { Stop } from './stop.ts';

/** Who asks: the workflow's identity and place. */
export interface Asker {
  readonly ref: SessionRef;
  readonly turn: number;
  readonly step: number;
  /** The agent whose session this works for, if it does. */
  readonly owner?: SessionOwner | undefined;
  /** External hooks of the deployment. */
  readonly hooks?: readonly AnnouncedHook[] | undefined;
  readonly writer: LogWriter;
  readonly stop: Stop;
  /** Learns which registry answered. */
  saw(registry: string): void;
  /** How to find the session's machine, at a point whose listeners act on it. */
  machineFor(point: InterceptionPoint): (() => Promise<HostId | undefined>) | undefined;
}

export type Verdict<P extends Interception['point']> =
  | { kind: 'decided'; decision: InterceptionDecisions[P]; contexts?: HookContext[] }
  | { kind: 'threw'; message: string; code?: string }
  | { kind: 'stopped' };

/** Asks the listeners of one point; a stop beats any decision that comes later. */
export async function askListeners<P extends Interception['point']>(
  asker: Asker,
  interception: Extract<Interception, { point: P }>,
  options: { subject?: string; whenStopped?: 'skip' | 'ask'; host?: HostId | undefined } = {},
): Promise<Verdict<P>> {
  const author = asker.step === 0 ? `t${asker.turn}` : `t${asker.turn}.s${asker.step}`;
  const claim = hookClaim(author, interception.point, options.subject);
  const machine = options.host === undefined ? asker.machineFor(interception.point) : undefined;
  const host = machine ? await machine() : options.host;
  const { ref, turn, step, owner } = asker;
  const asked = { ...ref, turn, step, ...(owner && { owner: owner.session }), claim, interception };
  const call = (limit: { within?: number } = {}) =>
    asker.writer.carry((commit) => askAt(host, { ...asked, ...limit, commit }));
  const place = hookPlace(claim, interception.point);
  const { writer, hooks = [] } = asker;
  const announced = announceHooks({ writer, turn, place, interception, hooks, isAgent: owner !== undefined });
  if (options.whenStopped === 'ask' && asker.stop.requested)
    return verdict<P>(asker, announced, await call({ within: CANCEL_GRACE_MS }));
  const result = await asker.stop.effect(() => call());
  switch (result.kind) {
    case 'returned':
      if (!asker.stop.requested || options.whenStopped === 'ask') return verdict<P>(asker, announced, result.value);
      announced.end(result.value.hooks ?? []);
      return { kind: 'stopped' };
    case 'failed':
      if (!asker.stop.requested) throw result.error;
      announced.end([]);
      return { kind: 'stopped' };
    case 'abandoned':
      announced.end([]);
      return { kind: 'stopped' };
    default:
      return assertNever(result);
  }
}

/** On the host, if one is named; where nobody takes it in time, any worker will do. */
function askAt(host: HostId | undefined, input: InterceptInput): ReturnType<typeof intercept> {
  if (host === undefined) return intercept(input);
  return intercept(input, host).catch((error: unknown) => {
    if (isNotPickedUp(error)) return intercept(input);
    throw error;
  });
}

function verdict<P extends Interception['point']>(
  asker: Asker,
  announced: Announced,
  result: Awaited<ReturnType<typeof intercept>>,
): Verdict<P> {
  asker.saw(result.registry);
  announced.end(result.hooks ?? []);
  const { contexts } = result;
  if (result.kind === 'decided')
    return { kind: 'decided', decision: result.decision as InterceptionDecisions[P], ...(contexts && { contexts }) };
  return { kind: 'threw', message: result.message, ...(result.code !== undefined && { code: result.code }) };
}
