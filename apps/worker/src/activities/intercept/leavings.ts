import { createHash } from 'node:crypto';
import { validateEventData, type HookContext, type JsonValue, type RequestId } from '@everturn/core/domain';
import { hookPlace, type HookRecord, type InterceptInput } from '../../contract/index.ts';
import type { Asked, OnceEffect } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** What listeners leave behind besides their decision. */
export interface Leavings {
  /** What they leave it with. */
  readonly asked: Asked;
  /** All of it; members that would be empty are absent, so that nothing travels where nothing was left. */
  all(): { hooks?: HookRecord[]; contexts?: HookContext[] };
}

/** Collects what the listeners of one question leave; what they did once stays done when they are asked again. */
export function leavings(
  deps: Pick<ActivityDeps, 'effects' | 'agents'>,
  ask: InterceptInput,
  signal: AbortSignal,
): Leavings {
  const { session, tenant, generation, turn, step, claim, interception } = ask;
  const asker = { session, tenant, generation, turn, step };
  const hooks: HookRecord[] = [];
  const contexts: HookContext[] = [];
  let sent = 0;
  return {
    asked: {
      place: hookPlace(claim, interception.point),
      once: (name, effect) => once({ deps, asker, signal, claim, name, effect }),
      record(hook) {
        if (interception.point === 'session/flush') throw new TypeError('after its end a turn has no place for hooks');
        validateEventData('hook/invoked', hook.invoked);
        validateEventData('hook/result', hook.result);
        hooks.push(hook);
      },
      get agent() {
        return deps.agents({ tenant, session }, () => requestOf(session, claim, ++sent));
      },
      addContext: (context) => contexts.push(context),
    },
    all: () => ({ ...(hooks.length > 0 && { hooks }), ...(contexts.length > 0 && { contexts }) }),
  };
}

interface OnceInput<T extends JsonValue> {
  deps: Pick<ActivityDeps, 'effects'>;
  asker: Pick<InterceptInput, 'session' | 'tenant' | 'generation' | 'turn' | 'step'>;
  /** The listeners'. */
  signal: AbortSignal;
  claim: string;
  name: string;
  effect: OnceEffect<T>;
}

/** An effect of a listener has a claim of its own below its question's, which may be asked again. */
async function once<T extends JsonValue>({ deps, asker, signal, claim, name, effect }: OnceInput<T>): Promise<T> {
  const { lost } = effect;
  const { value } = await deps.effects.runWithin<{ value: T }>(
    {
      ...asker,
      claim: `${claim}:${name}`,
      label: name,
      perform: async ({ signal: own }) => ({ kind: 'settled', outcome: { value: await effect.perform(own) } }),
      afterLapse: lost === 'run-again' ? 'run-again' : () => ({ value: lost }),
      closed: () => {
        throw new TypeError(`the effect "${name}" of a listener was settled by somebody else`);
      },
    },
    signal,
  );
  return value;
}

/** Asked again, a listener sends the same under the same id. */
function requestOf(session: string, claim: string, n: number): RequestId {
  const name = createHash('sha256')
    .update(JSON.stringify([session, claim, n]))
    .digest('hex');
  return `plugin-${name.slice(0, 40)}` as RequestId;
}
