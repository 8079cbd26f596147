import type { AuthoredDataOf, AuthoredSurface } from './authored.ts';
import type { ToolCallBlock } from './content.ts';
import { Enclosure } from './enclosure.ts';
import type { OpenState } from './enclosure.ts';
import type { SessionEvent } from './events.ts';
import type { CallId } from './ids.ts';
import { OpenPairs } from './recovery-pairs.ts';
import type { PairCloser } from './recovery-pairs.ts';
import type { SubCallIdentity } from './program-events.ts';
import { settledResult, type SettledCall } from './recovery-results.ts';

export interface RecoverTailInput {
  /** The log from the last `turn/start` on, at least. */
  events: readonly SessionEvent[];
  /** Settled claims of the open step by the call's index in the message; a call without one is judged by the log. */
  calls?: ReadonlyMap<number, SettledCall>;
  /** The same of calls that programs of the step made and that are open, by their ids. */
  subCalls?: ReadonlyMap<CallId, SettledCall>;
}

/** An event that closes a dead run's tail, ready for `SessionLog.append`. */
export type RecoveryEvent =
  | PairCloser
  | { type: 'tool/call'; data: AuthoredDataOf<'tool/call'> }
  | { type: 'tool/result'; data: AuthoredDataOf<'tool/result'>; surface: AuthoredSurface }
  | { type: 'step/end'; data: AuthoredDataOf<'step/end'> }
  | { type: 'turn/end'; data: AuthoredDataOf<'turn/end'> };

export interface RecoverTailResult {
  /** What is open; `{}` = the tail is sound and nothing is to be done. */
  open: OpenState;
  /** Calls the log says were started and not answered: what the recovering author has to know. */
  pendingCalls: CallId[];
  /** In order of append. */
  closers: RecoveryEvent[];
  /** Closers carry the time of the last event of the log, in epoch ms. */
  time: number;
}

/** Closes the open turn a dead run left: real results where claims hold them, else what is known, then the boundaries. */
export function recoverTail({ events, calls = new Map(), subCalls }: RecoverTailInput): RecoverTailResult {
  const tail = readTail(events);
  const { turn, step } = tail.open;
  const time = events.at(-1)?.time ?? 0;
  if (turn === undefined) return { open: {}, pendingCalls: [], closers: [], time };
  // Whoever was asked is asked no more: what nobody decided grants nothing. A program's calls end before it does.
  const closers: RecoveryEvent[] = tail.pairs.closers(subCalls);
  if (step !== undefined) {
    tail.requested.forEach((call, index) => {
      if (index >= tail.answered)
        closers.push(
          ...closeCall({
            turn,
            step,
            call,
            started: tail.started[index],
            settled: settledAs(tail, call, calls.get(index)),
          }),
        );
    });
    closers.push({ type: 'step/end', data: { turn, step } });
  }
  closers.push({ type: 'turn/end', data: { turn, reason: { kind: 'interrupted' } } });
  const pendingCalls = tail.requested.slice(tail.answered, tail.started.length).map(({ id }) => id);
  return { open: tail.open, pendingCalls, closers, time };
}

/** Calls of programs that a dead run left open: whose claims {@link recoverTail} wants to know. */
export const openSubCalls = (events: readonly SessionEvent[]): SubCallIdentity[] => readTail(events).pairs.subCalls();

interface Tail {
  open: OpenState;
  pairs: OpenPairs;
  requested: ToolCallBlock[];
  /** Numbers of the `tool/call` events, in model order. */
  started: number[];
  /** Calls whose programs made calls of their own. */
  dispatched: ReadonlySet<string>;
  /** How many calls have their result: a prefix in model order. */
  answered: number;
}

function readTail(events: readonly SessionEvent[]): Tail {
  const enclosure = new Enclosure();
  const pairs = new OpenPairs();
  let step: Omit<Tail, 'open' | 'pairs'> = { requested: [], started: [], answered: 0, dispatched: new Set() };
  for (const event of events.slice(
    Math.max(
      0,
      events.findLastIndex(({ type }) => type === 'turn/start'),
    ),
  )) {
    if (isBoundary(event)) enclosure.apply(event);
    pairs.follow(event);
    if (event.type === 'step/start') step = { requested: [], started: [], answered: 0, dispatched: new Set() };
    if (event.type === 'assistant/message' && event.surfaceOp === 'append') {
      step.requested = event.data.content.filter((block) => block.type === 'tool-call');
    }
    if (event.type === 'tool/call') step.started.push(event.seq);
    if (event.type === 'tool/ptc-dispatch-start')
      step.dispatched = new Set([...step.dispatched, event.data.rootCallId]);
    if (event.type === 'tool/result' && event.surfaceOp === 'append') step.answered += 1;
  }
  return { open: enclosure.open, pairs, ...step };
}

function isBoundary({ type }: SessionEvent): boolean {
  return type === 'turn/start' || type === 'turn/end' || type === 'step/start' || type === 'step/end';
}

/** A program has no claim of its own: it did something as soon as it made a call. */
function settledAs(
  { dispatched }: Tail,
  { id }: ToolCallBlock,
  settled: SettledCall | undefined,
): SettledCall | undefined {
  return settled?.state === 'not-started' && dispatched.has(id) ? { state: 'unknown' } : settled;
}

interface CloseCallInput {
  turn: number;
  step: number;
  call: ToolCallBlock;
  started: number | undefined;
  settled: SettledCall | undefined;
}

function closeCall({ turn, step, call, started, settled }: CloseCallInput): RecoveryEvent[] {
  const identity = { turn, step, callId: call.id };
  const result = settledResult(settled, started !== undefined);
  const answer: RecoveryEvent = {
    type: 'tool/result',
    data: { ...identity, ...result },
    surface: { surfaceOp: 'append', ...(started !== undefined && { sources: [{ from: started, to: started }] }) },
  };
  // A call that is known to have run is recorded as started even where the log lost that.
  const ran = result.error?.code !== 'TOOL_NOT_STARTED';
  if (started !== undefined || !ran) return [answer];
  return [{ type: 'tool/call', data: { ...identity, name: call.name, arguments: call.arguments } }, answer];
}
