import {
  EMPTY_QUEUE,
  FIRST_ACTIVATION,
  RequestWindow,
  SessionLog,
  type GoalState,
  type Activation,
  type JobId,
  type MessageEntry,
  type ReminderError,
  type Reminders,
  type OpenChildren,
  type RequestId,
  type SessionId,
  type SessionQueue,
  type StepKnobs,
  type TokenUsage,
} from '@everturn/core/domain';
import {
  NO_USAGE,
  type LoopInstance,
  type OpenPermissions,
  type PermissionUpdate,
  type RunCommand,
  type RenameSession,
  type SessionInput,
  type SessionStatus,
  type SetKnobs,
  type SetPermissions,
  type StepIsolation,
  type UsageTotals,
} from '@everturn/core/protocol';
import type { AbortTurn, KnobUpdate, RowChanges, SessionRecord, SessionRef } from '../../contract/index.ts';
import { LogWriter } from '../shared/log-writer.ts';
import type { EarlyRequest } from './early-requests.ts';
import type { WaitingFacts } from './session-facts.ts';
import { openDesk, type TeamDesk } from './team/open-desk.ts';
import type { Stop } from '../shared/stop.ts';

/** What a session tells its turn. */
export type TurnHint = 'steer' | 'inject' | 'abort' | 'permissions' | 'knobs' | 'record' | 'retract' | 'rename';
export type TurnHintPayload =
  | Record<string, never>
  | MessageEntry
  | AbortTurn
  | PermissionUpdate
  | KnobUpdate
  | SessionRecord
  | RenameSession;

/** The turn that runs now. */
export interface RunningTurn {
  readonly number: number;
  /** The message it answers. */
  readonly message: RequestId;
  /** Who speaks in it. */
  readonly source: MessageEntry['source'];
  /** Whoever sent its message wants it no more. */
  cancelled?: true;
  /** Sends a hint or a cancel down; a turn that is gone no longer needs it. */
  send(signal: TurnHint, payload: TurnHintPayload): void;
}

/** What a session knows between and during its turns. */
export interface SessionState {
  input: SessionInput;
  generation: number;
  writer: LogWriter;
  lastTurn: number;
  /** What waits, and what was handed to the running turn until its result says what became of each. */
  queue: SessionQueue;
  /** Handed to the running turn before a cancel: dropped, unless the turn had written it. */
  unwanted: RequestId[];
  injected: MessageEntry[];
  /** Jobs that ended and whose ends the model may not know of, in order. */
  endedJobs: JobId[];
  /** Whether word of such ends is being fetched; what comes of it is not in `endedJobs` alone. */
  notices: 'none' | 'on-the-way';
  /** Turns that ends of jobs began since a person last wrote. */
  wakes: number;
  /** Children that are at work, and for what. */
  children: OpenChildren;
  /** Word of children that have settled, on its way to the model. */
  settlements: MessageEntry[];
  /** How often it looked after children in vain since it last had something to do. */
  looks: number;
  /** The activation that those who watch were told of, and not yet its end. */
  announced?: number;
  /** Children that have closed in this run. */
  closedChildren: SessionId[];
  /** Of an agent that stays with another: what it has in hand. */
  activation?: Activation;
  /** Who started such an agent and has closed since; until it writes, the agent is its own. */
  parent?: SessionId;
  /** Words to its owner that it is at work, on their way. */
  callsUp: number;
  /** Of a new life of such an agent: what those before had dealt with, of which its owner may not know. */
  dealtWith: RequestId[];
  closedBy?: 'owner';
  /** Queued messages wait for the next prompt. */
  parked: boolean;
  closing: boolean;
  /** The number of the last message that a title was asked for in this run. */
  titleAskedFor: number;
  /** Stops what is being done for a title. */
  titling?: Stop;
  /** Who gave the title in this run, if not the turns; one of a person stays. */
  titled: 'by-person' | 'by-model' | 'by-turns';
  /** What was spent beside the turn that runs, whose own count comes with its result. */
  owedUsage: TokenUsage[];
  /** Titles of people that no turn has written. */
  renames: RenameSession[];
  /** A shorter history was asked for, by this request. */
  compaction?: RequestId;
  running?: RunningTurn;
  requests: RequestWindow;
  instance: LoopInstance;
  usage: UsageTotals;
  isolation: StepIsolation;
  title: string;
  model: string;
  searchAttributes: boolean;
  /** Updates taken in this run; they count against the server's limit. */
  updates: number;
  /** Whether the log has been opened; until then nothing runs. */
  opened: boolean;
  /** Absent in lives that began before there were any. */
  permissions?: OpenPermissions;
  /** Changes of them that no turn has written. */
  permissionUpdates: PermissionUpdate[];
  /** Changes that came before the log was open. */
  earlyChanges: SetPermissions[];
  /** The same of requests about what waits, in order. */
  early: EarlyRequest[];
  /** What changes only between two steps; absent in a session that never had it changed. */
  knobs?: StepKnobs;
  /** Changes of them that the turn that runs may not have taken. */
  knobUpdates: SetKnobs[];
  /** Commands of people that have not run, the first of which may be running. */
  commands: RunCommand[];
  /** Stops the one of a plugin that runs. */
  commandStop?: Stop;
  /** Events for the log alone that are not written. */
  records: SessionRecord[];
  /** Absent in a session that never had one. */
  goal?: GoalState;
  /** Absent without any; an error where the log contradicts itself. */
  reminders?: Reminders | ReminderError;
  /** Clocks of reminders have said that it is as late as this, in epoch ms. */
  remindersUpTo: number;
  /** Events of the session's own that wait to be written. */
  facts: WaitingFacts[];
  /** Whether some of them are being written into the turn that runs. */
  factsOnTheWay: boolean;
  /** What is being done beside. */
  errands: number;
  /** The first thing the log refused for good where nobody waited for it. */
  refusal?: { error: unknown };
  /** Absent in a session that nobody has asked about a team. */
  team?: TeamDesk;
  /** The status operators were shown last in this run. */
  described?: SessionStatus;
  /** How often a message has brought its turn down before it was written. */
  attempts: Record<string, number>;
  /** Signals taken in this run; the server refuses more than it can keep. */
  signals: number;
}

/** A session before its log is open, or where its last run stopped. */
export function openState(input: SessionInput): SessionState {
  const { carried } = input;
  const state: SessionState = {
    input,
    generation: carried?.generation ?? 0,
    writer: undefined as never, // made below, out of the state itself
    lastTurn: carried?.turn ?? 0,
    queue: carried?.queue ?? EMPTY_QUEUE,
    unwanted: [],
    injected: [],
    endedJobs: [],
    notices: 'none',
    wakes: carried?.wakes ?? 0,
    children: carried?.children ?? {},
    settlements: [],
    looks: 0,
    closedChildren: [],
    callsUp: 0,
    dealtWith: carried?.dealtWith ?? [],
    parked: carried?.parked ?? false,
    closing: false,
    titled: carried?.renames?.length ? 'by-person' : 'by-turns',
    titleAskedFor: -1,
    owedUsage: [],
    renames: carried?.renames ?? [],
    ...(carried?.compaction && { compaction: carried.compaction }),
    requests: new RequestWindow(carried?.recentRequests),
    instance: carried?.instance ?? { logHadHeader: false, startSource: 'startup', started: false },
    usage: carried?.usage ?? NO_USAGE,
    isolation: carried?.isolation ?? 'child',
    title: carried?.title ?? '',
    model: carried?.model ?? '',
    searchAttributes: carried?.searchAttributes ?? false,
    updates: 0,
    opened: carried !== undefined,
    ...(carried?.permissions && { permissions: carried.permissions }),
    permissionUpdates: carried?.permissionUpdates ?? [],
    earlyChanges: [],
    early: [],
    ...(carried?.knobs && { knobs: carried.knobs }),
    knobUpdates: [],
    commands: [],
    records: [],
    ...(carried?.goal && { goal: carried.goal }),
    ...(carried?.reminders && { reminders: carried.reminders }),
    remindersUpTo: 0,
    facts: [],
    factsOnTheWay: false,
    errands: 0,
    attempts: {},
    signals: 0,
  };
  if (carried?.parent) state.parent = carried.parent;
  if (input.owner?.mode === 'continuable') state.activation = carried?.activation ?? FIRST_ACTIVATION;
  if (carried?.team) state.team = openDesk(state, carried.team);
  openWriter(state, carried?.nextEvent ?? 0, carried?.highestAcknowledged ?? -1);
  return state;
}

/** Begins the session's own authorship of one generation. */
export function openWriter(state: SessionState, next: number, highestAcknowledged: number): void {
  const rows: RowChanges | undefined = state.writer?.handOver().rows;
  const log = new SessionLog({
    author: 'session',
    generation: state.generation,
    now: Date.now,
    next,
    highestAcknowledged,
    lastTurn: state.lastTurn,
  });
  state.writer = new LogWriter({ ref: () => sessionRef(state), log, highestAcknowledged, rows });
}

/** The identity every activity of the session carries. */
export function sessionRef(state: SessionState): SessionRef {
  return { session: state.input.session, tenant: state.input.tenant, generation: state.generation };
}
