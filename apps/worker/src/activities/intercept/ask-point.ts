import { assertNever } from '@everturn/core/domain';
import type { Interception, InterceptionPoint } from '../../contract/index.ts';
import {
  askSerially,
  askWaterfall,
  POINT_MODES,
  runInOrder,
  tellAll,
  type Listener,
  type ListenerContext,
  type PointDecision,
  type PointInput,
} from '../../plugins/index.ts';
import { fallbackDecision } from './fallback.ts';

export interface AskPointInput {
  interception: Interception;
  listeners: readonly Listener<InterceptionPoint>[];
  input: PointInput<InterceptionPoint>;
  context: ListenerContext;
  /** Told what a contained listener threw. */
  onContained(error: unknown): void;
}

/** Asks the listeners of a point in its own mode; throws what a listener throws where that is not contained. */
export async function askPoint(ask: AskPointInput): Promise<PointDecision<InterceptionPoint>> {
  const { interception, listeners, input, context } = ask;
  const { point } = interception;
  const fallback = fallbackDecision(interception, input);
  switch (POINT_MODES[point]) {
    case 'waterfall':
      return waterfall(ask, fallback);
    case 'serial':
      return askSerially({ listeners, input, context, fallback });
    case 'sequence':
      await runInOrder({ listeners, input, context });
      return fallback;
    case 'emit':
      for (const error of await tellAll({ listeners, input, context })) ask.onContained(error);
      return fallback;
    case 'flush': {
      const [first] = await tellAll({ listeners, input, context });
      if (first) throw first;
      return fallback;
    }
    default:
      return assertNever(POINT_MODES[point], 'point mode');
  }
}

async function waterfall(
  { interception, listeners, input, context, onContained }: AskPointInput,
  fallback: PointDecision<InterceptionPoint>,
): Promise<PointDecision<InterceptionPoint>> {
  try {
    return await askWaterfall({ listeners, input, context, fallback });
  } catch (error) {
    // A broken retry policy must not hide the failure it was asked about.
    if (interception.point !== 'agent/request-error') throw error;
    onContained(error);
    return fallback;
  }
}
