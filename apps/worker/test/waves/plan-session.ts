import type { Fault } from '@everturn/core/providers';
import type { Random } from './random.ts';

/** One call a model makes. */
export interface CallPlan {
  tool: 'bash' | 'count_once' | 'count_again' | 'count_keyed' | 'todo_write' | 'no_such_tool';
  /** How long its body works, in ms. */
  workMs: number;
  /** Whether policy asks about it, where the session has one, and what the person then says. */
  approval: 'none' | 'allow' | 'deny';
  arguments: 'whole' | 'half';
}

export type FaultPlan = Fault | 'no-finish' | 'no-usage';

/** What the model answers to one request. */
export interface AnswerPlan {
  words: number;
  paceMs: number;
  calls: CallPlan[];
  fault?: FaultPlan;
}

/** What a client does once its session has written `after` more events, or rests. */
export interface ActionPlan {
  kind: 'prompt' | 'steer' | 'inject' | 'cancel' | 'interrupt';
  after: number;
}

export interface SessionPlan {
  name: string;
  isolation: 'child' | 'inline';
  /** Whether policy is asked about each call. */
  policy: 'asks' | 'none';
  /** Whether somebody follows the log as it is written. */
  reader: 'follows' | 'none';
  /** Used up request by request, whatever the request asks; then the model only says that it is done. */
  answers: AnswerPlan[];
  actions: ActionPlan[];
}

/** Draws one session. */
export function planSession({ random, name }: { random: Random; name: string }): SessionPlan {
  const isolation = random.chance(0.5) ? 'inline' : 'child';
  const policy = random.chance(0.4) ? 'asks' : 'none';
  return {
    // The worker's plugin knows by the name alone whom to ask about.
    name: policy === 'asks' ? `${name}-asks` : name,
    isolation,
    policy,
    reader: random.chance(0.15) ? 'follows' : 'none',
    answers: Array.from({ length: random.whole(2, 4) }, () => planAnswer(random)),
    actions: Array.from({ length: random.whole(2, 4) }, () => ({
      kind: random.weighted({ prompt: 4, steer: 3, inject: 2, cancel: 1.5, interrupt: 1 }),
      after: random.whole(0, 20),
    })),
  };
}

function planAnswer(random: Random): AnswerPlan {
  const calls = random.chance(0.65) ? Array.from({ length: random.whole(1, 4) }, () => planCall(random)) : [];
  const fault = random.chance(0.25) ? planFault(random) : undefined;
  return {
    words: random.whole(calls.length > 0 ? 0 : 1, 12),
    paceMs: random.chance(0.3) ? random.whole(20, 80) : 0,
    calls,
    ...(fault !== undefined && { fault }),
  };
}

function planCall(random: Random): CallPlan {
  return {
    tool: random.weighted({
      bash: 4,
      count_once: 4,
      count_again: 2,
      count_keyed: 1,
      todo_write: 1,
      no_such_tool: 0.3,
    }),
    workMs: random.chance(0.35) ? random.whole(300, 1_200) : random.whole(0, 150),
    approval: random.chance(0.4) ? random.pick(['allow', 'deny']) : 'none',
    arguments: random.chance(0.05) ? 'half' : 'whole',
  };
}

function planFault(random: Random): FaultPlan {
  const afterDeltas = random.whole(0, 3);
  switch (random.weighted({ busy: 3, broken: 3, cut: 3, stall: 2, garbage: 1, finish: 1, usage: 1, odd: 2 })) {
    case 'busy':
      return { kind: 'status', status: 429, retryAfter: random.whole(1, 8) / 10 };
    case 'broken':
      return { kind: 'status', status: random.pick([500, 502, 503]) };
    case 'cut':
      return { kind: 'cut', afterDeltas };
    case 'stall':
      return { kind: 'stall', afterDeltas };
    case 'garbage':
      return { kind: 'garbage' };
    case 'finish':
      return 'no-finish';
    case 'usage':
      return 'no-usage';
    default:
      return random.pick<FaultPlan>([
        { kind: 'html' },
        { kind: 'no-done' },
        { kind: 'split-utf8' },
        { kind: 'error-frame', message: 'overloaded' },
      ]);
  }
}
