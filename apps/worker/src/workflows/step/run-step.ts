import { assertNever, SessionLog } from '@everturn/core/domain';
import type { StepInput, StepOutcome, StepResult } from '../../contract/index.ts';
import { summaryOfAll } from './call-summary.ts';
import { LogWriter } from '../shared/log-writer.ts';
import { SessionReplies } from './ask-session.ts';
import { callModel } from './call-model.ts';
import { prepareRequest } from './prepare-request.ts';
import { runToolBatch } from './run-tool-batch.ts';
import { JobNews } from './step-jobs.ts';
import { stepRef, type StepState } from './step-state.ts';
import { failureText } from '../turn/turn-details.ts';

/** One model request and the tool calls it asked for. The same function whether the step is a child or inline. */
export async function runStep(
  input: StepInput,
  { answers, stop, permissions }: Pick<StepState, 'answers' | 'stop' | 'permissions'>,
): Promise<StepResult> {
  const step = openStep(input, { answers, stop, permissions });
  step.writer.append('step/start', { turn: input.turn, step: input.step });
  const outcome = await converse(step);
  await step.writer.idle();
  return closeStep(step, outcome);
}

async function converse(step: StepState): Promise<StepOutcome> {
  const refused = await prepareRequest(step);
  if (refused) return refused;
  const answer = await callModel(step);
  switch (answer.kind) {
    case 'failure':
    case 'error':
      return answer;
    case 'message':
      if (answer.finish !== 'max-tokens') await runToolBatch(step, answer.calls);
      return {
        kind: 'message',
        finish: answer.finish,
        calls: answer.finish === 'max-tokens' ? 0 : answer.calls.length,
        concludesTurn: step.concludesTurn,
      };
    default:
      return assertNever(answer);
  }
}

function openStep(
  input: StepInput,
  { answers, stop, permissions }: Pick<StepState, 'answers' | 'stop' | 'permissions'>,
): StepState {
  const log = new SessionLog({
    author: `t${input.turn}.s${input.step}`,
    generation: input.generation,
    now: Date.now,
    highestAcknowledged: input.highestAcknowledged,
  });
  const writer = new LogWriter({
    ref: () => stepRef(input),
    log,
    highestAcknowledged: input.highestAcknowledged,
    inherited: input.unacknowledged,
    rows: input.rows,
  });
  return {
    input,
    writer,
    answers,
    stop,
    permissions,
    news: new JobNews(),
    replies: new SessionReplies(),
    assembly: input.assembly,
    registry: input.assembly.registry,
    headerLogged: false,
    preview: '',
    runs: [],
    contexts: [],
    concludesTurn: false,
    ...(input.repeats && { repeats: input.repeats }),
  };
}

function closeStep(step: StepState, outcome: StepOutcome): StepResult {
  const late = step.answers.takeOutcomes();
  if (late.length > 0) step.writer.change({ requests: late });
  const { pending, rows, inheritedAcks } = step.writer.handOver();
  return {
    outcome,
    aborted: step.stop.requested,
    acks: inheritedAcks,
    pending,
    ...(rows && { rows }),
    highestAcknowledged: step.writer.highestAcknowledged,
    ...(step.usage && { usage: step.usage }),
    ...(step.room !== undefined && { room: step.room - step.writer.tokens }),
    headerLogged: step.headerLogged,
    ...(step.assembly !== step.input.assembly && { assembly: step.assembly }),
    contexts: step.contexts,
    ...(step.repeats && { repeats: step.repeats }),
    ...(step.plan && { plan: step.plan }),
    registry: step.registry,
    preview: step.preview,
    did: whatCameOf(step, outcome),
  };
}

/** In one line: the calls, else the answer's first words, else what went wrong. */
function whatCameOf(step: StepState, outcome: StepOutcome): string {
  switch (outcome.kind) {
    case 'failure':
      return failureText(outcome.failure);
    case 'error':
      return failureText(outcome);
    case 'message':
      return step.runs.length > 0 ? summaryOfAll(step.runs.map(({ call }) => call)) : step.preview;
    default:
      return assertNever(outcome);
  }
}
