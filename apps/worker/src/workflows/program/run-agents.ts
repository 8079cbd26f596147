import { uuid4 } from '@temporalio/workflow';
import { parseArguments, type ScriptAgentOutcome, type SessionId } from '@everturn/core/domain';
import type { ScriptAgent } from '@everturn/tools/kit';
import type { JournalEntry } from '../../contract/index.ts';
import { prepareChild, readAgent } from '../proxies.ts';
import { announceAgent } from '../shared/announce-agent.ts';
import { finish, type CallRun } from '../step/call-run.ts';
import { childInput } from '../step/children-port.ts';
import { runChild } from '../step/run-child.ts';
import { stepRef } from '../step/step-state.ts';
import type { ProgramState } from './program-state.ts';
import { agentEnded, agentStarts } from './script-events.ts';

/** What a script is told of an agent: what its claim keeps, nothing, or an error of the engine. */
export type AgentAnswer = 'kept' | 'null' | { error: string };

interface AgentEnd {
  outcome: ScriptAgentOutcome;
  answer: AgentAnswer;
}

/** What a script is shown of an engine's error. */
const LONGEST_ERROR = 2_000;

/** Starts agents as children of the program, each in a session of its own; returns at once. */
export function startAgents(program: ProgramState, runs: readonly CallRun[]): void {
  for (const run of runs) {
    program.started += 1;
    run.state = 'running';
    if (run.call.invalid !== undefined) {
      settle(program, run, { error: run.call.invalid });
      continue;
    }
    void runAgent(program, run).then(
      ({ outcome, answer }) => settle(program, run, answer, outcome),
      (error: Error) => {
        run.end = { kind: 'thrown', error };
        run.state = 'finished';
      },
    );
  }
}

async function runAgent(program: ProgramState, { call }: CallRun): Promise<AgentEnd> {
  const { step, input, agents } = program;
  const { row } = input.script ?? {};
  if (!row || typeof call.arguments !== 'string') throw new TypeError(`call ${call.index} is no agent's`);
  // As `tellAgents` wrote it.
  const { prompt, label, phase, schema, ...route } = parseArguments(call.arguments) as unknown as ScriptAgent;
  const child = `sub-${uuid4()}` as SessionId;
  const agent = { seq: call.index, label, ...(phase !== undefined && { phase }), childId: child };
  agents.set(call.index, agent);
  agentStarts(program, agent);
  const wanted = childInput(step, 'one-shot', { row, label, prompt });
  await step.writer.flush(); // the agent is in the log before it is
  if (step.stop.requested) return CANCELLED;
  const prepared = await prepareChild({ ...wanted, child, route, ...(schema && { outputSchema: schema }) });
  if (prepared.kind === 'refused') return failed('AGENT_START', prepared.message);
  const run = { child, mode: 'one-shot' } as const;
  announceAgent(step.input, run);
  const { cancelled, failure } = await runChild(step, { ...prepared, child, mode: 'one-shot' });
  if (failure !== undefined && !cancelled) {
    announceAgent(step.input, run, 'error');
    return failed('AGENT_RESULT', failure);
  }
  const { turn, step: number } = step.input;
  const { stop } = await readAgent({
    ...stepRef(step.input),
    turn,
    step: number,
    call: { index: call.index, name: call.name },
    parent: input.call,
    child,
    cancelled,
  });
  announceAgent(step.input, run, stop);
  if (stop === 'completed') return { outcome: 'completed', answer: 'kept' };
  return { outcome: stop === 'aborted' ? 'cancelled' : 'failed', answer: 'kept' };
}

const CANCELLED: AgentEnd = { outcome: 'cancelled', answer: 'null' };

const failed = (code: string, why: string): AgentEnd => ({
  outcome: 'failed',
  answer: { error: `${code}: ${why.slice(0, LONGEST_ERROR)}` },
});

/** Keeps how an agent ended until the program has a moment for it. */
function settle(program: ProgramState, run: CallRun, answer: AgentAnswer, outcome?: ScriptAgentOutcome): void {
  program.answers.set(run.call.index, answer);
  const agent = program.agents.get(run.call.index);
  program.agents.delete(run.call.index);
  if (agent && outcome) agentEnded(program, agent, outcome);
  finish(run, { content: [], isError: typeof answer === 'object' });
}

/** Hands the script what it is told of an agent that has ended. */
export async function commitAgent(program: ProgramState, run: CallRun): Promise<void> {
  const { step, journal, answers, agents } = program;
  const { index } = run.call;
  run.state = 'committed';
  step.runs.splice(step.runs.indexOf(run), 1);
  if (run.end?.kind === 'thrown') {
    program.over ??= { kind: 'thrown', error: run.end.error };
    agents.delete(index);
    return;
  }
  journal.push(entryOf(index, answers.get(index) ?? 'null'));
  answers.delete(index);
}

function entryOf(n: number, answer: AgentAnswer): JournalEntry {
  if (answer === 'kept') return n;
  if (answer === 'null') return { n, value: null };
  return { n, content: [{ type: 'text', text: answer.error }], isError: true };
}
