import { SessionLog, WorkTime, type ScriptAgentOutcome } from '@everturn/core/domain';
import type { OrchestratedEvent, ProgramFailure } from '@everturn/tools/kit';
import {
  programName,
  type JournalEntry,
  type KnownCalls,
  type ProgramInput,
  type ScriptAgentIdentity,
  type ToolOutcome,
} from '../../contract/index.ts';
import { LogWriter } from '../shared/log-writer.ts';
import { Stop } from '../shared/stop.ts';
import { SessionReplies } from '../step/ask-session.ts';
import type { CallRun } from '../step/call-run.ts';
import { JobNews } from '../step/step-jobs.ts';
import { stepRef, type StepState } from '../step/step-state.ts';
import type { AgentAnswer } from './run-agents.ts';

/** How a program is over; its outcome is known once it has had its last word. */
export type ProgramOver =
  | { kind: 'ended'; outcome: ToolOutcome }
  | { kind: 'stopped'; failure: ProgramFailure; message: string }
  | { kind: 'thrown'; error: Error };

/** What reaches a program from outside. */
export type ProgramHeard = Pick<StepState, 'answers' | 'permissions'>;

/** What one program knows while it runs. */
export interface ProgramState {
  readonly input: ProgramInput;
  /** Its calls see a step whose calls they are; the stop is theirs. */
  readonly step: StepState & { runs: CallRun[] };
  readonly time: WorkTime;
  readonly startedAt: number;
  code: ProgramInput['code'];
  journal: JournalEntry[];
  known: KnownCalls;
  /** Calls up to this one have been told by the program. */
  told: number;
  /** How many answers the program has been handed, or is being handed now. */
  handed: number;
  round: 'none' | 'running' | 'idle';
  /** Calls this run of the workflow has started. */
  started: number;
  lane: 'free' | 'busy';
  /** What one of its calls recorded as the session's result, which counts if the program succeeds. */
  output?: OrchestratedEvent;
  /** Of a script: lines it printed that were passed on. */
  heard: number;
  /** Of a script: the agents at work, by the number of their call. */
  readonly agents: Map<number, ScriptAgentIdentity>;
  /** Of a script: what it is to be told of agents that have ended. */
  readonly answers: Map<number, AgentAnswer>;
  /** Of a script: agents that ended since this run of the workflow began. */
  readonly ended: Record<ScriptAgentOutcome, number>;
  phase?: string;
  lastLine?: string;
  over?: ProgramOver;
}

/** Of no calls: sha256 of nothing. */
const NO_CALLS: KnownCalls = {
  count: 0,
  digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

/** A program at its beginning, or where its last run stopped. */
export function openProgram(input: ProgramInput, heard: ProgramHeard): ProgramState {
  const { carried } = input;
  const now = Date.now();
  const time = new WorkTime(carried?.spentMs ?? 0, now);
  heard.answers.watch((open) => time.turn(open > 0 ? 'waits' : 'works', Date.now()));
  return {
    input,
    step: stepOf(input, heard),
    time,
    startedAt: carried?.startedAt ?? now,
    code: input.code,
    journal: carried?.journal ?? [],
    known: carried?.known ?? NO_CALLS,
    told: 0,
    handed: 0,
    round: 'none',
    started: 0,
    lane: 'free',
    heard: carried?.heard ?? 0,
    agents: new Map(),
    answers: new Map(),
    ended: { completed: 0, failed: 0, cancelled: 0 },
    ...(carried?.output && { output: carried.output }),
  };
}

function stepOf(input: ProgramInput, { answers, permissions }: ProgramHeard): ProgramState['step'] {
  const { turn, step, call, generation, assembly, highestAcknowledged, searchAttributes, carried, owner } = input;
  const log = new SessionLog({
    author: programName(turn, step, call),
    generation,
    now: Date.now,
    highestAcknowledged,
    ...(carried && { next: carried.nextEvent }),
  });
  return {
    input: {
      ...stepRef(input),
      turn,
      step,
      assembly,
      highestAcknowledged,
      searchAttributes,
      unacknowledged: [],
      ...(owner && { owner }),
    },
    program: call,
    writer: new LogWriter({ ref: () => stepRef(input), log, highestAcknowledged }),
    answers,
    stop: new Stop(),
    permissions,
    news: new JobNews(),
    replies: new SessionReplies(),
    assembly,
    registry: assembly.registry,
    headerLogged: false,
    preview: '',
    runs: [],
    contexts: carried?.contexts ?? [],
    concludesTurn: carried?.concludesTurn ?? false,
    ...(carried?.plan && { plan: carried.plan }),
  };
}
