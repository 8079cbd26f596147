import { assertNever, type HostId } from '@everturn/core/domain';
import {
  hookClaim,
  type InterceptInput,
  type Interception,
  type InterceptionDecisions,
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
  readonly writer: LogWriter;
  readonly stop: Stop;
  /** Learns which registry answered. */
  saw(registry: string): void;
}

export type Verdict<P extends Interception['point']> =
  | { kind: 'decided'; decision: InterceptionDecisions[P] }
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
  const call = () =>
    asker.writer.carry((commit) =>
      askAt(options.host, { ...asker.ref, turn: asker.turn, step: asker.step, claim, interception, commit }),
    );
  if (options.whenStopped === 'ask' && asker.stop.requested) return verdict<P>(asker, await call());
  const result = await asker.stop.effect(call);
  switch (result.kind) {
    case 'returned':
      return asker.stop.requested && options.whenStopped !== 'ask'
        ? { kind: 'stopped' }
        : verdict<P>(asker, result.value);
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
  if (result.kind === 'decided') return { kind: 'decided', decision: result.decision as InterceptionDecisions[P] };
  return { kind: 'threw', message: result.message, ...(result.code !== undefined && { code: result.code }) };
}
