import { outcomeUnknownResult, parseArguments, type JsonValue } from '@everturn/core/domain';
import type { SessionOptions } from '@everturn/core/protocol';
import {
  abortedResult,
  boundResult,
  settleResult,
  unknownToolResult,
  type ToolExecutionResult,
} from '@everturn/tools/kit';
import {
  isUnknownOutcome,
  placedClaim,
  toolOutcome,
  recorded,
  type AdmittedJob,
  type RunToolInput,
  type RunToolResult,
  type ToolOutcome,
} from '../contract/index.ts';
import { PluginError, type RegisteredTool } from '../plugins/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import type { Performance, PerformInput } from './effects/effect.ts';
import { choiceOf } from './context/session-view.ts';
import { untilItWorks } from './effects/retry.ts';
import { stopReason } from './effects/running-effect.ts';
import { failingAs } from './failure.ts';
import { admission } from './jobs/admit-job.ts';
import { forProgram } from './tools/for-program.ts';
import { runWrapped } from './tools/run-wrapped.ts';
import { stateLost } from './tools/state-lost.ts';

/** Runs one tool body at most once and records its outcome in the claim; writes no log rows but its commit. */
export function runToolActivity(deps: ActivityDeps) {
  return (input: RunToolInput): Promise<RunToolResult> =>
    failingAs(async () => {
      const result = await deps.effects.run<JsonValue>({
        ...input,
        claim: placedClaim(input),
        label: input.call.name,
        perform: (held) => perform(deps, input, held),
        afterLapse: input.effect === 'at-most-once' ? () => recorded(outcomeUnknownResult()) : 'run-again',
        stateOf: (outcome) => (isUnknownOutcome(toolOutcome(outcome)) ? 'unknown' : 'done'),
        closed: (settled) =>
          recorded(settled === 'unknown' ? outcomeUnknownResult() : abortedResult('before-dispatch')),
      });
      return {
        acks: result.acks,
        outcome: toolOutcome(result.outcome),
        registry: deps.registry.version(input),
      };
    });
}

/** A result, and the job the call was given. */
type CallResult = ToolExecutionResult & { job?: AdmittedJob };

async function perform(deps: ActivityDeps, input: RunToolInput, held: PerformInput): Promise<Performance<JsonValue>> {
  const result = neverDenied(await resultOf(deps, input, held), held);
  if (result === 'relinquished') return { kind: 'relinquished' };
  const travel = <T>(value: T) =>
    untilItWorks({
      attempt: () => deps.values.travel(input.tenant, value),
      giveUp: () => stopReason(held.signal) === 'lost',
    });
  const { value: _forProgramsOnly, additionalContexts, content, ...rest } = result;
  const outcome: ToolOutcome = {
    ...rest,
    ...(input.parent ? await forProgram(deps, input, result, travel) : { content: await travel(content) }),
    ...(additionalContexts && { contexts: additionalContexts }),
  };
  return { kind: 'settled', outcome: recorded(outcome) };
}

/** An earlier attempt may have run the body, so a later one that was stopped before it cannot say that nothing ran. */
function neverDenied<R extends CallResult | 'relinquished'>(
  result: R,
  { held }: PerformInput,
): R | ToolExecutionResult {
  const denies = result !== 'relinquished' && result.error?.code === 'ABORTED_BEFORE_DISPATCH';
  return denies && held.epoch > 1 ? (outcomeUnknownResult() as ToolExecutionResult) : result; // short, so never a reference
}

async function resultOf(
  deps: ActivityDeps,
  input: RunToolInput,
  held: PerformInput,
): Promise<CallResult | 'relinquished'> {
  const { tenant, session, call } = input;
  const { signal } = held;
  const { options } = await untilItWorks({ attempt: () => deps.facts.read(input), giveUp: () => signal.aborted });
  const tool = visibleTool(deps, input, options);
  if (!tool?.execute) return settleResult(unknownToolResult(call.name));
  if (belongsToAnotherEpoch(deps, input, tool)) return stateLost(call.name);
  const raw = await untilItWorks({
    attempt: () => deps.values.resolve(tenant, call.arguments),
    giveUp: () => signal.aborted,
  });
  if ((await deps.machine?.lanes.clear(session, signal)) === 'stopped') return stopped(input, signal, 'before');
  deps.live.publish({ ...place(input), kind: 'tool/started' });
  const result = await run(deps, input, { tool, args: parseArguments(raw), signal });
  deps.live.publish({ ...place(input), kind: 'tool/ended', isError: result.isError });
  return stopReason(signal) === 'shutdown' ? stopped(input, signal, 'during') : result;
}

/** What the model was not shown it cannot call: leaving a schema out is no enforcement. */
function visibleTool(deps: ActivityDeps, input: RunToolInput, options: SessionOptions): RegisteredTool | undefined {
  try {
    return deps.registry.view(input, choiceOf(options, deps)).tools.get(input.call.name);
  } catch (error) {
    if (error instanceof PluginError) return undefined; // this worker does not know a name the session uses
    throw error;
  }
}

async function run(
  deps: ActivityDeps,
  input: RunToolInput,
  { tool, args, signal }: { tool: RegisteredTool; args: JsonValue; signal: AbortSignal },
): Promise<CallResult> {
  const { execute, definition } = tool;
  if (!execute) return settleResult(unknownToolResult(input.call.name));
  if (input.call.background) return admitJob(deps, input, { tool, args, signal });
  const body = () => runWrapped(deps, input, { body: { definition, execute }, args, signal });
  const result = await (deps.machine ? deps.machine.lanes.run(input.session, signal, body) : body());
  const { maxInlineBytes } = deps.settings;
  // With listeners after the body the whole result is theirs to judge first; whoever asks them bounds it afterwards.
  if (input.spill === 'after-listeners' || maxInlineBytes === undefined || input.parent) return settleResult(result);
  const warn = (message: string, cause: unknown) => deps.log.warn({ err: cause, session: input.session }, message);
  const { spill } = deps.ports;
  return settleResult(
    await boundResult({ tool: definition.name, result, session: input.session, spill, maxInlineBytes, warn }),
  );
}

/** Answers a call with the job it was given, which is not begun here. */
async function admitJob(
  deps: ActivityDeps,
  input: RunToolInput,
  { tool, args, signal }: { tool: RegisteredTool; args: JsonValue; signal: AbortSignal },
): Promise<CallResult> {
  const body = admission(deps, input, tool);
  const result = settleResult(await runWrapped(deps, input, { body, args, signal }));
  if (result.isError)
    await untilItWorks({ attempt: () => body.discard(), giveUp: () => stopReason(signal) === 'lost' });
  const job = body.admitted();
  return { ...result, ...(job && { job }) };
}

/** What a body that the end of the shutdown grace met reports: a repeatable one runs again elsewhere. */
function stopped(
  { effect }: RunToolInput,
  signal: AbortSignal,
  when: 'before' | 'during',
): ToolExecutionResult | 'relinquished' {
  if (stopReason(signal) !== 'shutdown') return abortedResult('before-dispatch');
  if (when === 'before' || effect !== 'at-most-once') return 'relinquished';
  return outcomeUnknownResult() as ToolExecutionResult; // its content is short, so never a reference
}

function belongsToAnotherEpoch({ machine }: ActivityDeps, { hostEpoch }: RunToolInput, tool: RegisteredTool): boolean {
  if (tool.definition.state !== 'process' || hostEpoch === undefined) return false;
  return machine?.host.epoch !== hostEpoch;
}

const place = ({ tenant, session, turn, step, call: { callId, name } }: RunToolInput) => ({
  tenant,
  session,
  turn,
  step,
  callId,
  name,
});
