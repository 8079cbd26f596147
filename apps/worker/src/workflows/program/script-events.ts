import { proxySinks } from '@temporalio/workflow';
import type { AuthoredDataOf, ScriptAgentOutcome, SessionEvent } from '@everturn/core/domain';
import {
  programName,
  type LiveNotification,
  type LiveSinks,
  type Said,
  type ScriptAgentIdentity,
  type ToolOutcome,
} from '../../contract/index.ts';
import { describeScript } from './script-details.ts';
import type { ProgramState } from './program-state.ts';

const { live } = proxySinks<LiveSinks>();

/** Whether a program has agents work instead of calling tools. */
export const isScript = ({ input }: Pick<ProgramState, 'input'>): boolean => input.kind === 'workflow';

/** Names one run of a script within its session. */
const runIdOf = ({ input }: ProgramState): string => programName(input.turn, input.step, input.call);

/** A script that a program runs leaves to the program's call what stands in the log. */
function log<T extends OwnEvent>({ input, step }: ProgramState, type: T, data: AuthoredDataOf<T>): void {
  // None of them has a surface, which the compiler cannot say of any of several.
  if (input.call.within === undefined) step.writer.append(type, data as never);
}

type OwnEvent = Extract<SessionEvent['type'], `tool-workflow/${string}`>;

/** The first event of a script's run. */
export function beginScript(program: ProgramState): void {
  const run = { runId: runIdOf(program), name: program.input.script?.name ?? '' };
  log(program, 'tool-workflow/run-start', run);
  tell(program, { kind: 'workflow/start', ...run });
  describeScript(program);
}

/** An agent is about to be started. */
export function agentStarts(program: ProgramState, agent: ScriptAgentIdentity): void {
  const started = { runId: runIdOf(program), ...agent };
  log(program, 'tool-workflow/agent-start', started);
  tell(program, { kind: 'workflow/agent-start', ...started });
  describeScript(program);
}

/** An agent has ended, and nothing of it is left. */
export function agentEnded(program: ProgramState, agent: ScriptAgentIdentity, outcome: ScriptAgentOutcome): void {
  const runId = runIdOf(program);
  log(program, 'tool-workflow/agent-end', { runId, seq: agent.seq, outcome });
  tell(program, { kind: 'workflow/agent-end', runId, ...agent, outcome });
  program.ended[outcome] += 1;
  describeScript(program);
}

/** Passes on what a script says for those who watch. */
export function scriptSaid(program: ProgramState, said: readonly Said[]): void {
  const runId = runIdOf(program);
  for (const { kind, text } of said) {
    if (kind === 'phase') program.phase = text;
    else program.lastLine = text;
    tell(
      program,
      kind === 'phase'
        ? { kind: 'workflow/phase', runId, title: text }
        : { kind: 'workflow/log', runId, message: text },
    );
  }
  if (said.length > 0) describeScript(program);
}

/** The last event of a script's run, after all its agents have ended. */
export function endScript(program: ProgramState, { isError, error }: Pick<ToolOutcome, 'isError' | 'error'>): void {
  const failed = error?.code === 'WORKFLOW_CANCELLED' ? 'cancelled' : 'error';
  const end = { runId: runIdOf(program), stopReason: isError ? failed : 'completed' } as const;
  log(program, 'tool-workflow/run-end', end);
  tell(program, { kind: 'workflow/end', ...end });
}

type Announcement = LiveNotification extends infer N
  ? N extends LiveNotification
    ? Omit<N, 'tenant' | 'session'>
    : never
  : never;

/** Heard by whoever listens right now, and never again by a replay. */
function tell({ input: { tenant, session } }: ProgramState, announcement: Announcement): void {
  live.publish({ tenant, session, ...announcement });
}
