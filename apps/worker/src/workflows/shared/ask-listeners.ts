import { assertNever, type HookContext, type HostId } from '@everturn/core/domain';
import type { SessionOwner } from '@everturn/core/protocol';
import {
  CANCEL_GRACE_MS,
  hookClaim,
  type InterceptInput,
  type InterceptResult,
  type Interception,
  type InterceptionDecisions,
  type InterceptionPoint,
  type SessionRef,
} from '../../contract/index.ts';
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
  if (options.whenStopped === 'ask' && asker.stop.requested)
    return verdict<P>(asker, await call({ within: CANCEL_GRACE_MS }));
  const result = await asker.stop.effect(() => call());
  switch (result.kind) {
    case 'returned':
      if (!asker.stop.requested || options.whenStopped === 'ask') return verdict<P>(asker, result.value);
      writeHooks(asker, result.value);
      return { kind: 'stopped' };
    case 'failed':
      if (asker.stop.requested) return { kind: 'stopped' };
      throw result.error;
    case 'abandoned':
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
  result: Awaited<ReturnType<typeof intercept>>,
): Verdict<P> {
  asker.saw(result.registry);
  writeHooks(asker, result);
  const { contexts } = result;
  if (result.kind === 'decided')
    return { kind: 'decided', decision: result.decision as InterceptionDecisions[P], ...(contexts && { contexts }) };
  return { kind: 'threw', message: result.message, ...(result.code !== undefined && { code: result.code }) };
}

/** Nothing recorded before there were hooks brings any, so old histories replay as they were. */
function writeHooks({ writer }: Asker, { hooks = [] }: InterceptResult): void {
  for (const { invoked, result } of hooks) {
    writer.append('hook/invoked', invoked);
    writer.append('hook/result', result);
  }
}
