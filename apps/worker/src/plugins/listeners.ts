import type { CallId, HookContext, JsonValue, SessionId, TenantId } from '@everturn/core/domain';
import type { HookRecord } from '../contract/index.ts';
import type { AgentHandle } from './agent-handle.ts';
import type { ListenPoint, PointMap } from './points.ts';

/** On whose behalf something happens; it proves neither that the session lives nor what it may do. */
export interface Initiator {
  tenant: TenantId;
  session: SessionId;
  /** 0 = outside any turn. */
  turn: number;
  /** 0 = outside any step. */
  step: number;
  callId?: CallId;
  /** The session it works for now, if it is an agent's. */
  owner?: SessionId;
}

/** What every listener is told besides its point's own input. */
export interface ListenerContext {
  initiator: Initiator;
  /** Raised when the turn is cancelled. */
  signal: AbortSignal;
  /** Present where workflow code asks: what a listener may leave behind besides its decision. */
  asked?: Asked;
}

/** One question to the listeners of a point. */
export interface Asked {
  /** Where in the session it is asked: `t3`, `t3.s2`, `t3.s2.c0`. */
  readonly place: string;
  /**
   * Has an effect at most once under a name, however often the listener is asked because workers died, and answers
   * what it brought; `lost` is the answer where nobody knows, `run-again` has it once more.
   */
  once<T extends JsonValue>(name: string, effect: OnceEffect<T>): Promise<T>;
  /** Has the log tell of a run of an external hook. */
  record(hook: HookRecord): void;
  /** The session it is asked about. What it sends without an id of its own is sent once, however often it is asked. */
  readonly agent: AgentHandle;
  /** Adds context for the model at a point that decides nothing. */
  addContext(context: HookContext): void;
}

export interface OnceEffect<T extends JsonValue> {
  /** Its signal is raised with the listener's own. */
  perform(signal: AbortSignal): Promise<T>;
  lost: T | 'run-again';
}

export type PointInput<P extends ListenPoint> = PointMap[P]['input'];
export type PointDecision<P extends ListenPoint> = PointMap[P]['decision'];

/**
 * A listener at one point. `next()` obtains the inner decision at waterfall points and does nothing elsewhere.
 * It must be safe to run again: a worker that dies while it runs leaves no answer behind.
 */
export type Listener<P extends ListenPoint> = (
  event: PointInput<P> & ListenerContext,
  next: (change?: { signal?: AbortSignal }) => Promise<PointDecision<P>>,
) => PointDecision<P> | Promise<PointDecision<P>>;

export interface AskInput<P extends ListenPoint> {
  listeners: readonly Listener<P>[];
  input: PointInput<P>;
  context: ListenerContext;
  /** What holds when nobody decides. */
  fallback: PointDecision<P>;
}

/** Runs a waterfall: the first listener is the outermost, and what it returns counts. Throws what a listener throws. */
export async function askWaterfall<P extends ListenPoint>(input: AskInput<P>): Promise<PointDecision<P>> {
  const event = { ...input.input, ...input.context };
  const from = async (index: number): Promise<PointDecision<P>> => {
    const listener = input.listeners[index];
    if (!listener) return input.fallback;
    return await listener(
      event,
      once(() => from(index + 1)),
    );
  };
  return from(0);
}

export interface AskAroundInput<P extends ListenPoint> extends Omit<AskInput<P>, 'fallback'> {
  /** What the listeners are around; runs at most once. */
  body: (signal: AbortSignal) => PointDecision<P> | Promise<PointDecision<P>>;
}

/**
 * Runs listeners around a body: the first is the outermost. A listener may hand a further signal inwards; it is joined
 * to the caller's, so that no listener can cut a body off from its cancel. Throws what a listener throws.
 */
export async function askAround<P extends ListenPoint>(ask: AskAroundInput<P>): Promise<PointDecision<P>> {
  const from = async (index: number, signal: AbortSignal): Promise<PointDecision<P>> => {
    const listener = ask.listeners[index];
    if (!listener) return ask.body(signal);
    let inner: Promise<PointDecision<P>> | undefined;
    return listener({ ...ask.input, ...ask.context, signal }, (change) => {
      inner ??= from(index + 1, change?.signal ? AbortSignal.any([signal, change.signal]) : signal);
      return inner;
    });
  };
  return from(0, ask.context.signal);
}

/** Runs listeners one after another until one returns something. Throws what a listener throws. */
export async function askSerially<P extends ListenPoint>(input: AskInput<P>): Promise<PointDecision<P>> {
  const event = { ...input.input, ...input.context };
  for (const listener of input.listeners) {
    const decision = await listener(event, async () => input.fallback);
    if (decision !== undefined) return decision;
  }
  return input.fallback;
}

/** Runs listeners one after another, whatever they return. Throws what a listener throws, and stops there. */
export async function runInOrder<P extends ListenPoint>(input: Omit<AskInput<P>, 'fallback'>): Promise<void> {
  const event = { ...input.input, ...input.context };
  for (const listener of input.listeners) await listener(event, async () => undefined as PointDecision<P>);
}

/** Tells every listener and returns what they threw, in order. */
export async function tellAll<P extends ListenPoint>(input: Omit<AskInput<P>, 'fallback'>): Promise<Error[]> {
  const event = { ...input.input, ...input.context };
  const errors: Error[] = [];
  for (const listener of input.listeners) {
    try {
      await listener(event, async () => undefined as PointDecision<P>);
    } catch (error) {
      errors.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return errors;
}

/** A listener that asks twice gets the same inner decision, or inner listeners would run twice. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}
