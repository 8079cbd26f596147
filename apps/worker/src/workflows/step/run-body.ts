import { patched } from '@temporalio/workflow';
import { isBlobRef, outcomeUnknownResult, parseArguments, type SandboxMode } from '@everturn/core/domain';
import {
  abortedResult,
  CODE_TOOL,
  denialResult,
  errorResult,
  recordOutput,
  unknownToolResult,
} from '@everturn/tools/kit';
import { orchestrations } from '@everturn/tools/workflow';
import {
  placedClaim,
  toolOutcome,
  type AnnouncedEvent,
  type RequestedCall,
  type RunToolInput,
  type Settlement,
  type ToolOutcome,
} from '../../contract/index.ts';
import type { CallRun } from './call-run.ts';
import { hostGone, isNotPickedUp, isStateLost } from './lost-call.ts';
import { goalOf, remindersOf } from './ask-session.ts';
import { teamOf } from './ask-team.ts';
import { askQuestions } from './ask-questions.ts';
import { summaryOf } from './call-summary.ts';
import { childrenOf } from './children-port.ts';
import { forgetHost, placeCall, type Place } from './place-call.ts';
import { settingsOf, toolOf } from './offered-tool.ts';
import { programsOf } from './program-port.ts';
import { loopsOf } from './ralph-port.ts';
import { runTool, settle } from '../proxies.ts';
import { startJob } from './start-job.ts';
import { jobsOf } from './step-jobs.ts';
import { stepRef, type StepState } from './step-state.ts';
import type { NoReturn } from '../shared/stop.ts';

/** Runs one body where it belongs and returns its outcome; throws only for infrastructure that gave up for good. */
export async function runBody(step: StepState, run: CallRun): Promise<ToolOutcome> {
  const { call } = run;
  const tool = toolOf(step, call);
  if (!tool || (step.program && call.name === CODE_TOOL)) return unknownToolResult(call.name);
  if (call.invalid !== undefined) return denialResult(call.invalid);
  if (tool.home === 'workflow') return orchestrate(step, run);
  // They ride with the call, so that the log has them whatever becomes of it.
  if (call.announced && patched('announced-calls')) appendAll(step, call.announced);
  for (let waited = false; ;) {
    const place = await placeCall(step, tool.home);
    if (place.kind === 'nowhere') {
      // Nobody took its last try; an earlier one may have begun, and died with the machine.
      return waited && patched('lost-calls-settle') ? settleLost(step, call, place.reason) : hostGone(place.reason);
    }
    const attempt = await runAt(step, run, place);
    if (attempt !== 'not-picked-up' && attempt.job && place.kind === 'host')
      await startJob(step, call, { job: attempt.job, place, ...sandboxOf(step, run.granted) });
    if (attempt !== 'not-picked-up' && !isStateLost(attempt)) return attempt;
    // Whoever holds the machine now, the next call shall be for them.
    forgetHost(step);
    if (attempt !== 'not-picked-up') return attempt;
    waited = true;
  }
}

async function orchestrate(step: StepState, run: CallRun): Promise<ToolOutcome> {
  const { call, granted } = run;
  if (isBlobRef(call.arguments))
    return errorResult(
      new Error(`the arguments of "${call.name}" are too long: send less in one call, and fewer long calls at once`),
    );
  const { key = call.name, outputSchema } = toolOf(step, call) ?? {};
  // Offers of before a second set had its name knew the first by that alone.
  const known = orchestrations.get(key) ?? orchestrations.get(`subagents:${key}`);
  const body = outputSchema ? recordOutput(outputSchema) : known;
  if (!body) return unknownToolResult(call.name);
  const { session, turn, step: number } = step.input;
  const programs = programsOf(step, run);
  const loops = loopsOf(step, run);
  const team = teamOf(step, call);
  const { events, result } = await body.orchestrate(parseArguments(call.arguments), {
    initiator: { session, turn, step: number, call: step.program?.index ?? call.index },
    now: Date.now(),
    settings: settingsOf(step, call),
    ...(step.input.owner && { delegated: true }),
    children: childrenOf(step, call),
    ...(loops.port && { ralph: loops.port }),
    ...(step.assembly.plan && { planning: true }),
    ask: (request) => askQuestions(step, call, request),
    jobs: jobsOf(step, call),
    reminders: remindersOf(step, call),
    goal: goalOf(step, call),
    ...(team && { team }),
    ...(granted && { granted }),
    ...(programs.port && { program: programs.port }),
  });
  const failure = programs.failure ?? loops.failure;
  if (failure) throw failure;
  appendAll(step, events);
  const { additionalContexts, ...rest } = result;
  return { ...rest, ...(additionalContexts && { contexts: additionalContexts }) };
}

/** The pair of type and data is right for each event, which a list of any of them cannot say. */
function appendAll({ writer }: StepState, events: readonly AnnouncedEvent[]): void {
  for (const { type, data } of events) writer.append(type, data as never);
}

async function runAt(
  step: StepState,
  { call, granted }: CallRun,
  place: Exclude<Place, { kind: 'nowhere' }>,
): Promise<ToolOutcome | 'not-picked-up'> {
  const { input, assembly } = step;
  const tool = toolOf(step, call);
  const result = await step.stop.effect(() =>
    step.writer.carry((commit) =>
      runTool(
        {
          ...stepRef(input),
          turn: input.turn,
          step: input.step,
          call,
          ...(step.program && { parent: step.program }),
          // A job is given once, however often it is asked for.
          effect: call.background ? 'idempotent' : (tool?.effect ?? 'at-most-once'),
          ...(assembly.cwd !== undefined && { cwd: assembly.cwd }),
          ...(place.kind === 'host' && { hostEpoch: place.epoch, ...(assembly.shell && { shell: assembly.shell }) }),
          ...sandboxOf(step, granted),
          spill: assembly.listeners.includes('tools/post-execute') ? 'after-listeners' : 'now',
          commit,
        },
        { host: place.kind === 'host' ? place.host : undefined, cap: tool?.timeoutMs, summary: summaryOf(call) },
      ),
    ),
  );
  if (result.kind === 'returned') {
    step.registry = result.value.registry;
    return result.value.outcome;
  }
  if (result.kind === 'failed' && isNotPickedUp(result.error) && !step.stop.requested) return 'not-picked-up';
  return settleCall(step, call, result);
}

/** The session's mode at this moment, or what a person granted for this call alone. */
function sandboxOf(
  { permissions }: StepState,
  granted: SandboxMode | undefined,
): Partial<Pick<RunToolInput, 'sandbox'>> {
  if (granted) return { sandbox: { mode: granted, granted: true } };
  return permissions.now ? { sandbox: { mode: permissions.now.sandbox } } : {};
}

async function settleCall(step: StepState, call: RequestedCall, ended: NoReturn): Promise<ToolOutcome> {
  const settlement = await settlementOf(step, call, ended);
  return outcomeOf(settlement, step, ended.kind === 'failed' ? ended.error : undefined);
}

async function settleLost(step: StepState, call: RequestedCall, reason: string): Promise<ToolOutcome> {
  const settlement = await settlementOf(step, call, { kind: 'failed' });
  return settlement?.state === 'not-started' ? hostGone(reason) : outcomeOf(settlement, step, undefined);
}

async function settlementOf(
  step: StepState,
  call: RequestedCall,
  ended: Pick<NoReturn, 'kind'>,
): Promise<Settlement | undefined> {
  const { turn, step: number } = step.input;
  const claim = placedClaim({ turn, step: number, call, parent: step.program });
  const live = step.stop.settling(ended.kind);
  const { settlements } = await step.writer.carry((commit) =>
    settle({ ...stepRef(step.input), claims: [claim], live, commit }),
  );
  return settlements[claim];
}

function outcomeOf(settlement: Settlement | undefined, step: StepState, error: Error | undefined): ToolOutcome {
  switch (settlement?.state) {
    case 'done':
      return toolOutcome(settlement.outcome);
    case 'not-started':
      if (step.stop.requested) return abortedResult('before-dispatch');
      throw error ?? new TypeError(`the call of ${step.input.session} ended without an outcome`);
    default:
      return outcomeUnknownResult();
  }
}
