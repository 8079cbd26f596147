import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent, SessionEventOf } from '@everturn/core/domain';
import { expect } from 'vitest';
import type { CallsById } from './play-model.ts';

/** A row of the effects ledger, as the API shows it. */
export interface LedgerEntry {
  key: string;
  state: 'claimed' | 'done' | 'unknown' | 'void';
  epoch: number;
  turn?: number;
  step?: number;
}

export interface CheckEffectsInput {
  session: string;
  events: readonly SessionEvent[];
  ledger: readonly LedgerEntry[];
  calls: CallsById;
  runs: string;
}

/** How many effects nobody can tell the outcome of. */
export interface UnknownEffects {
  calls: number;
  models: number;
}

/** Compares what ran outside with what the log and the ledger say of it; answers what is unknown. */
export function checkEffects(input: CheckEffectsInput): UnknownEffects {
  const { ledger } = input;
  expect(ledger.filter(({ state }) => state === 'claimed')).toEqual([]);
  expect([...input.calls.keys()].flatMap((id) => checkCall(input, id))).toEqual([]);
  const unknown = ledger.filter(({ state, key }) => state === 'unknown' && !key.includes('.hook:'));
  const models = unknown.filter(({ key }) => key.endsWith('.model'));
  expect(models.filter((entry) => !explainsModel(input.events, entry))).toEqual([]);
  const calls = unknown.filter(({ key }) => !key.endsWith('.model')).map(({ key }) => key);
  expect(calls.toSorted()).toEqual(unknownResults(input.events).toSorted());
  return { calls: calls.length, models: models.length };
}

/** What is wrong with one call: it ran more often than it may, or its result does not say what happened. */
function checkCall({ session, events, ledger, calls, runs }: CheckEffectsInput, id: string): string[] {
  const plan = calls.get(id);
  const file = join(runs, `${session}.${id}`);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const call = events.find((event) => event.type === 'tool/call' && event.data.callId === id);
  const result = events.find((event) => event.type === 'tool/result' && event.data.callId === id);
  if (result?.type !== 'tool/result' || call?.type !== 'tool/call')
    return lines.length === 0 ? [] : [`${id} ran and the log does not know of it`];
  const key = claimOf(events, call);
  const epoch = ledger.find((entry) => entry.key === key)?.epoch ?? 0;
  const mayRepeat = plan?.tool === 'count_again' || plan?.tool === 'count_keyed';
  const wrong: string[] = [];
  if (lines.length > (mayRepeat ? epoch : 1)) wrong.push(`${id} (${plan?.tool}) ran ${lines.length} times`);
  if (plan?.tool === 'count_keyed' && new Set(lines).size > 1) wrong.push(`${id} ran under several keys`);
  const counts = plan?.tool === 'bash' || plan?.tool.startsWith('count_') === true;
  if (counts && !result.data.isError && lines.length === 0) wrong.push(`${id} has a result and did not run`);
  if (lines.length > 0 && saysNothingRan(result))
    wrong.push(`${id} (${plan?.tool}) ran and its result says it did not`);
  return wrong;
}

function saysNothingRan({ data }: SessionEventOf<'tool/result'>): boolean {
  // A body's own error may have no code either; what policy says is about the person it asked.
  if (data.error === undefined) return data.isError && /the user rejected|approval/.test(JSON.stringify(data.content));
  return data.error.code === 'TOOL_NOT_STARTED' || data.error.code === 'ABORTED_BEFORE_DISPATCH';
}

/** A lost model call ends its step without a message: as a transport failure, or because the turn was stopped. */
function explainsModel(events: readonly SessionEvent[], { turn, step }: LedgerEntry): boolean {
  const inStep = (event: SessionEvent) => 'step' in event.data && event.data.turn === turn && event.data.step === step;
  if (events.some((event) => event.type === 'assistant/message' && inStep(event))) return false;
  return events.some((event) => {
    if (event.type === 'llm/retry') return inStep(event) && event.data.failure.code === 'TRANSPORT';
    if (event.type !== 'turn/end' || event.data.turn !== turn) return false;
    const { reason } = event.data;
    if (reason.kind === 'error') return 'failure' in reason && reason.failure.code === 'TRANSPORT';
    return reason.kind === 'aborted' || reason.kind === 'interrupted';
  });
}

/** The claims of the calls whose result says that their outcome is unknown. */
function unknownResults(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'tool/result' || event.data.error?.code !== 'TOOL_OUTCOME_UNKNOWN') return [];
    return [claimOf(events, event)];
  });
}

function claimOf(
  events: readonly SessionEvent[],
  { data: { turn, step, callId } }: SessionEventOf<'tool/result'> | SessionEventOf<'tool/call'>,
): string {
  const message = events.find(
    (event) => event.type === 'assistant/message' && event.data.turn === turn && event.data.step === step,
  );
  const calls = message?.type === 'assistant/message' ? message.data.content : [];
  const index = calls.filter((block) => block.type === 'tool-call').findIndex(({ id }) => id === callId);
  return `t${turn}.s${step}.c${index}`;
}
