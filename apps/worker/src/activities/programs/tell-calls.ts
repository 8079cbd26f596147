import { isBlobRef, type CallId } from '@everturn/core/domain';
import type { RunningProgram } from '@everturn/tools/world';
import type { RequestedCall, RunProgramInput, RunProgramResult } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { callsAmong } from '../context/session-view.ts';
import { classified } from '../streaming/classify-calls.ts';
import { travellingCalls } from '../streaming/model-outcome.ts';
import { keyOf } from './advance.ts';
import { digestOf } from './known-calls.ts';
import { tellAgents } from './tell-agents.ts';

/** Code above this many bytes travels by reference: it rides in the input of every round. */
const SHORT_CODE_BYTES = 1_024;

/** A call as the program made it, its arguments as they are. */
export type FreshCall = Pick<RequestedCall, 'index' | 'callId' | 'name'> & { arguments: string };

type Told = Omit<Extract<RunProgramResult, { kind: 'waiting' }>, 'acks' | 'registry' | 'news'>;

/** What a program that waits has called since it was last heard of; it is kept for its answers. */
export async function tellCalls(deps: ActivityDeps, input: RunProgramInput, running: RunningProgram): Promise<Told> {
  try {
    const result = await describeCalls(deps, input, running);
    deps.programs.keep(keyOf(input), running);
    return result;
  } catch (error) {
    await deps.programs.close(running); // the database is away, say: the next attempt needs its thread
    throw error;
  }
}

async function describeCalls(deps: ActivityDeps, input: RunProgramInput, running: RunningProgram): Promise<Told> {
  const { tenant, told, journal, code, kind } = input;
  const answered = new Set(journal.map((entry) => (typeof entry === 'number' ? entry : entry.n)));
  const fresh = running.calls
    .filter(({ n }) => n > told && !answered.has(n))
    .map(({ n, name, arguments: argument }) => {
      const callId = `${input.call.callId}:ptc:${n}` as CallId;
      return { index: n, callId, name, arguments: argument };
    });
  const count = running.calls.length;
  return {
    kind: 'waiting',
    code: isBlobRef(code) || Buffer.byteLength(code) <= SHORT_CODE_BYTES ? code : await deps.values.store(tenant, code),
    known: { count, digest: digestOf(running.calls, count) },
    calls: kind === 'workflow' ? await tellAgents(deps, input, fresh) : await tellToolCalls(deps, input, fresh),
  };
}

async function tellToolCalls(
  deps: ActivityDeps,
  input: RunProgramInput,
  fresh: readonly FreshCall[],
): Promise<RequestedCall[]> {
  const among = await callsAmong(deps, input);
  const calls = fresh.map((call) => classified(call, among));
  return travellingCalls(calls, { values: deps.values, tenant: input.tenant });
}
