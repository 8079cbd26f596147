import type { JsonValue } from '@everturn/core/domain';
import { recorded, type InterceptInput, type InterceptResult } from '../contract/index.ts';
import type { ListenerContext } from '../plugins/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import type { PerformInput } from './effects/effect.ts';
import { isAway } from './effects/retry.ts';
import { codeOf, describeFailure, failingAs } from './failure.ts';
import { askPoint } from './intercept/ask-point.ts';
import { boundAsking } from './intercept/bound-asking.ts';
import { leavings } from './intercept/leavings.ts';
import { pointDecision } from './intercept/point-decision.ts';
import { pointInput } from './intercept/point-input.ts';

type Answer = InterceptResult extends infer R
  ? R extends InterceptResult
    ? Omit<R, 'acks' | 'registry'>
    : never
  : never;

/** Asks the listeners of one point, in order; a point that ran once is answered from its claim. */
export function interceptActivity(deps: ActivityDeps) {
  return (input: InterceptInput): Promise<InterceptResult> =>
    failingAs(async () => {
      const result = await deps.effects.run<JsonValue>({
        ...input,
        label: input.interception.point,
        perform: async (held) => ({
          kind: 'settled',
          outcome: recorded(await answer(deps, input, held)),
        }),
        afterLapse: 'run-again',
        closed: () => ({ kind: 'threw', message: 'the workflow settled this question without an answer' }),
      });
      const registry = deps.registry.version(input);
      // What this point's claim holds is an answer of ours.
      return { ...(result.outcome as unknown as Answer), acks: result.acks, registry } as InterceptResult;
    });
}

async function answer(deps: ActivityDeps, ask: InterceptInput, { signal }: PerformInput): Promise<Answer> {
  const { interception, tenant, session, turn, step, owner } = ask;
  const call = 'call' in interception ? interception.call.callId : undefined;
  const listeners = deps.registry.view(ask).listeners(interception.point);
  const asking = boundAsking({ ask, listeners, signal, defaultMs: deps.listenerTimeoutMs });
  const left = leavings(deps, ask, asking.signal);
  const context: ListenerContext = {
    initiator: Object.freeze({
      tenant,
      session,
      turn,
      step,
      ...(call !== undefined && { callId: call }),
      ...(owner !== undefined && { owner }),
    }),
    signal: asking.signal,
    asked: left.asked,
  };
  const input = await pointInput(interception, { values: deps.values, tenant });
  const onContained = (error: unknown) =>
    deps.log.warn({ err: error, session, point: interception.point }, 'a listener failed');
  try {
    const decision = await asking.race(askPoint({ interception, listeners, input, context, onContained }));
    const decided = asJson(await pointDecision({ deps, ask, input, decision }));
    return { kind: 'decided', decision: decided, ...left.all() };
  } catch (error) {
    if (isAway(error)) throw error;
    const code = codeOf(error);
    return { kind: 'threw', message: describeFailure(error), ...(code !== undefined && { code }), ...left.all() };
  } finally {
    asking.end();
  }
}

/** Listeners are free to leave members undefined; the ledger keeps JSON. */
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
