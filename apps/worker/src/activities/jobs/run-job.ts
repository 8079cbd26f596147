import { parseArguments, type JsonValue } from '@everturn/core/domain';
import { errorResult, resultText, type JobEnd, type RunningJob } from '@everturn/tools/kit';
import {
  isLostJob,
  JOB_LOST,
  jobClaim,
  jobEnd,
  recorded,
  type RunJobInput,
  type RunJobResult,
} from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { Performance, PerformInput } from '../effects/effect.ts';
import { untilItWorks } from '../effects/retry.ts';
import { stopReason } from '../effects/running-effect.ts';
import { failingAs } from '../failure.ts';
import { callContext } from '../tools/call-context.ts';
import { refuseStrayedWorkspace } from '../tools/strayed-workspace.ts';
import { choiceOf } from '../context/session-view.ts';
import { pumpOutput } from './pump-output.ts';

/** Runs a job's body to its end, at most once; what it writes goes to its pages as it comes. */
export function runJobActivity(deps: ActivityDeps) {
  return (input: RunJobInput): Promise<RunJobResult> =>
    failingAs(async () => {
      const { outcome } = await deps.effects.run<JsonValue>({
        ...input,
        claim: jobClaim(input.job.id),
        label: input.call.name,
        perform: (held) => perform(deps, input, held),
        afterLapse: () => recorded(JOB_LOST),
        stateOf: (end) => (isLostJob(jobEnd(end)) ? 'unknown' : 'done'),
        closed: (settled) => recorded(settled === 'unknown' ? JOB_LOST : { state: 'failed', detail: 'not started' }),
      });
      return { end: jobEnd(outcome) };
    });
}

async function perform(deps: ActivityDeps, input: RunJobInput, held: PerformInput): Promise<Performance<JsonValue>> {
  const { signal } = held;
  const running = await begin(deps, input, held);
  const cancel = () => running.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    await pumpOutput(deps, { ...held.held, job: input.job.id }, { running, signal });
    return { kind: 'settled', outcome: recorded(endOf(await running.outcome, signal)) };
  } catch (error) {
    running.cancel(); // nobody would hear of it any more
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function endOf(end: JobEnd, signal: AbortSignal): JobEnd {
  return stopReason(signal) === 'shutdown' && end.state === 'killed'
    ? { state: 'killed', detail: 'the worker shut down' }
    : end;
}

/** The body, or in its place what is said of one that could not be started. */
async function begin(deps: ActivityDeps, input: RunJobInput, { signal }: PerformInput): Promise<RunningJob> {
  if (signal.aborted) return ended({ state: 'killed', detail: 'killed before exit' }, '');
  const { tenant, call, hostEpoch } = input;
  const { options } = await untilItWorks({ attempt: () => deps.facts.read(input), giveUp: () => signal.aborted });
  const tool = deps.registry.view(input, choiceOf(options, deps)).tools.get(call.name);
  if (!tool?.startJob) return ended({ state: 'failed', detail: `no tool "${call.name}" runs jobs here` }, '');
  if (tool.definition.state === 'process' && deps.machine?.host.epoch !== hostEpoch)
    return ended({ state: 'failed', detail: 'the state it works with is lost' }, '');
  const raw = await untilItWorks({
    attempt: () => deps.values.resolve(tenant, call.arguments),
    giveUp: () => signal.aborted,
  });
  try {
    const context = await callContext(deps, input, signal);
    await refuseStrayedWorkspace(context, input);
    return await tool.startJob(parseArguments(raw), context);
  } catch (error) {
    return ended({ state: 'killed', detail: 'killed before exit' }, resultText(errorResult(error)));
  }
}

/** A job that was over before it began; what went wrong is read once, as if it had written it. */
function ended(end: JobEnd, message: string): RunningJob {
  let unread = message;
  return {
    read() {
      const stderr = unread;
      unread = '';
      return { text: '', stderr };
    },
    outcome: Promise.resolve(end),
    cancel: () => undefined,
  };
}
