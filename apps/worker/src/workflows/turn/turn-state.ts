import { patched } from '@temporalio/workflow';
import {
  SessionLog,
  SteeringInbox,
  type Cancellation,
  type ContinuationReason,
  type EventId,
  type HookContext,
  type HostId,
  type LlmFailure,
  type MaybeRef,
  type Message,
  type Permissions,
  type RequestId,
  type StepKnobs,
} from '@everturn/core/domain';
import type { LoopInstance, PermissionUpdate, UsageTotals } from '@everturn/core/protocol';
import type {
  AssembleInput,
  Assembly,
  SessionRecord,
  SessionRef,
  TitleDue,
  TurnInput,
  WorkspaceContext,
} from '../../contract/index.ts';
import type { Answers } from '../shared/answers.ts';
import type { Asker } from '../shared/ask-listeners.ts';
import { LogWriter } from '../shared/log-writer.ts';
import { assignHost } from '../proxies.ts';
import { actsOnMachine } from '../step/step-state.ts';
import type { PermissionCell } from '../shared/permission-cell.ts';
import type { Stop } from '../shared/stop.ts';
import type { DetachedStart } from './detached-start.ts';
import { skillsCalledFor } from './skills-called-for.ts';
import type { ShownStep } from './turn-details.ts';

/** What one turn knows while it runs. */
export interface TurnState {
  readonly input: TurnInput;
  readonly ref: SessionRef;
  readonly writer: LogWriter;
  readonly answers: Answers;
  readonly stop: Stop;
  cancellation: Cancellation;
  /** Known once composed; a turn that cannot compose ends before its first step. */
  assembly?: Assembly;
  registry?: string;
  step: number;
  priorFailures: LlmFailure[];
  /** Sticky: whether any step hit its output ceiling. */
  tokenLimit: 'hit' | 'clear';
  /** Hints of the session, not yet written. */
  readonly steering: SteeringInbox;
  readonly injected: SteeringInbox;
  /** What calls may do now. */
  readonly permissions: PermissionCell;
  /** What the assembly was composed under. */
  composedUnder?: Permissions;
  /** Changes that came and are not yet written. */
  permissionUpdates: PermissionUpdate[];
  /** What the model is to be told of them. */
  notices: string[];
  /** What changes only between two steps. */
  knobs?: StepKnobs;
  /** Whether the assembly was made before one of them changed. */
  assembled: 'current' | 'before-change';
  /** Skills that a person's word in the middle of the turn called for, not yet told. */
  calledFor: NonNullable<AssembleInput['calledFor']>[];
  /** Events that wait for the turn to be open. */
  records: SessionRecord[];
  /** Hands a change to the step that runs as a workflow of its own. */
  sendToStep?: (update: PermissionUpdate) => void;
  /** Listeners hear of the session's start while the turn goes on. */
  start?: DetachedStart;
  /** What they have for the model, not yet written. */
  readonly startContexts: HookContext[];
  /** Why a listener made the turn go on: the next step's first steering message. */
  reason?: ContinuationReason;
  /** Whether a person spoke after the turn had begun. */
  spoken: boolean;
  /** Whether the turn's message was let in, or must not be any more. */
  message: 'waits' | 'admitted' | 'retracted';
  /** After a terminal stop, steering that waits or still arrives is dropped. */
  lateSteering: 'keep' | 'discard';
  /** What the history may still gain once the turn's writer has written so many tokens; absent where nobody counts. */
  room?: { tokens: number; written: number };
  /** How often in a row a history that filled its window could not be shortened. */
  vainCompactions: number;
  /** What keeps a request from fitting, for people. */
  tooBig?: string;
  /** The message that is to give the session its title, once its number is known. */
  untitled?: { message: EventId; words: string };
  /** What a person said and a model may be asked to make a title of. */
  heard?: EventId;
  titleDue?: TitleDue;
  /** What the session is called now, where this turn said so. */
  title?: string;
  /** What the session's folder says, until listeners have seen it. */
  basePrefix?: MaybeRef<Message[]>;
  /** What came of the folder and the model is to read. */
  news: WorkspaceContext[];
  /** What the session knows of its skills once the news is written; until then it must be asked for again. */
  skills?: LoopInstance['skills'];
  consumed: RequestId[];
  instance: LoopInstance;
  usage: UsageTotals;
  preview: string;
  /** The latest steps of this run, for operators. */
  shownSteps: readonly ShownStep[];
}

/** A turn at its beginning, or where its last run stopped. */
export function openTurn(input: TurnInput, answers: Answers, stop: Stop): TurnState {
  const { carried } = input;
  const ref = { session: input.session, tenant: input.tenant, generation: input.generation };
  const log = new SessionLog({
    author: `t${input.turn}`,
    generation: input.generation,
    now: Date.now,
    highestAcknowledged: input.highestAcknowledged,
    ...(carried && {
      next: carried.nextEvent,
      open: { turn: input.turn },
      lastTurn: input.turn,
      lastStep: carried.step,
    }),
    ...(!carried && { lastTurn: input.turn - 1 }),
  });
  const writer = new LogWriter({
    ref: () => ref,
    log,
    highestAcknowledged: input.highestAcknowledged,
    rows: input.rows,
  });
  const now = carried?.permissions ?? input.permissions?.now;
  const knobs = carried ? carried.knobs : input.knobs;
  return {
    input,
    ref,
    writer,
    permissions: now ? { now } : {},
    permissionUpdates: [],
    notices: [],
    startContexts: [],
    ...(knobs && { knobs }),
    assembled: 'current',
    calledFor: [],
    records: [],
    news: [],
    ...(carried && now && { composedUnder: now }),
    answers,
    stop,
    step: carried?.step ?? 0,
    priorFailures: carried?.priorFailures ?? [],
    cancellation: { kind: 'none' },
    tokenLimit: carried?.tokenLimit ?? 'clear',
    steering: new SteeringInbox(carried?.steering),
    injected: new SteeringInbox(carried?.injected),
    consumed: carried?.consumed ?? [],
    lateSteering: 'keep',
    spoken: carried?.spoken ?? false,
    message: carried ? 'admitted' : 'waits',
    instance: input.message.source.kind === 'user' ? withoutRepeats(input.instance) : input.instance,
    vainCompactions: 0,
    usage: input.usage,
    preview: '',
    shownSteps: [],
    ...(carried && { assembly: carried.assembly, registry: carried.assembly.registry }),
    ...(carried?.reason && { reason: carried.reason }),
    ...(carried?.title !== undefined && { title: carried.title }),
    ...(carried?.titleDue && { titleDue: carried.titleDue }),
  };
}

/** A person's word begins every count of repeated calls anew. */
export function withoutRepeats({ repeats: _counted, ...instance }: LoopInstance): LoopInstance {
  return instance;
}

/** The turn as listeners see it. */
export function askerOf(turn: TurnState): Asker {
  return {
    ref: turn.ref,
    turn: turn.input.turn,
    step: turn.step,
    owner: turn.input.owner,
    hooks: turn.assembly?.hooks,
    writer: turn.writer,
    stop: turn.stop,
    saw(registry) {
      turn.registry = registry;
    },
    machineFor: (point) =>
      turn.assembly && actsOnMachine({ assembly: turn.assembly }, point) ? () => machineOf(turn) : undefined,
  };
}

/** The session's machine, bound now if it was not; nothing when no live one has its workspace. */
async function machineOf(turn: TurnState): Promise<HostId | undefined> {
  const { assembly, ref } = turn;
  if (!assembly || assembly.host) return assembly?.host?.host;
  const assigned = await assignHost({ ...ref, ...(assembly.cwd !== undefined && { cwd: assembly.cwd }) });
  if (assigned.kind === 'none') return undefined;
  const host = { host: assigned.host, epoch: assigned.epoch };
  turn.assembly = { ...(turn.assembly ?? assembly), host };
  return host.host;
}

/** Writes what the log is told along with the turn's message, whatever became of that. */
export function appendMessageFacts({ input, writer }: TurnState): void {
  // The pair of type and data is right for each, which a list of any of them cannot say.
  for (const { type, data } of input.message.facts ?? []) writer.append(type, data as never);
}

/** Adds context for the model, in order. */
export function appendContexts(turn: TurnState, contexts: readonly HookContext[]): void {
  for (const { content, source, meta } of contexts)
    turn.writer.append('context/message', { content, source, ...(meta !== undefined && { meta }) });
}

/** Writes what the session's folder says anew. */
export function appendNews(turn: TurnState): void {
  for (const { content, source } of turn.news.splice(0)) turn.writer.append('context/message', { content, source });
  const { skills } = turn;
  if (!skills) return;
  delete turn.skills;
  const { skills: _before, ...instance } = turn.instance;
  turn.instance = Object.keys(skills).length > 0 ? { ...instance, skills } : instance;
}

/** Writes contexts that were injected while the turn ran. */
export function appendInjected(turn: TurnState): void {
  for (const entry of turn.injected.drain()) {
    const { content, source, meta, requestId } = entry;
    turn.writer.append('context/message', { content, source, ...(meta !== undefined && { meta }) });
    consume(turn, requestId);
  }
}

/** Writes what was steered since, a listener's reason to go on first; tells how much there was. */
export function drainSteering(turn: TurnState): number {
  const { turn: number } = turn.input;
  if (turn.reason) turn.writer.append('steering/message', { turn: number, ...turn.reason });
  delete turn.reason;
  const entries = turn.steering.drain();
  for (const { content, source, requestId } of entries) {
    turn.writer.append('steering/message', { turn: number, content, source });
    if (source.kind === 'user') {
      turn.instance = withoutRepeats(turn.instance);
      turn.spoken = true;
      const calledFor = skillsCalledFor({ content, source });
      if (calledFor && patched('steered-skills')) turn.calledFor.push(calledFor);
    }
    consume(turn, requestId);
  }
  return entries.length;
}

function consume(turn: TurnState, requestId: RequestId): void {
  turn.consumed.push(requestId);
  turn.writer.change({ prompts: [{ promptId: requestId, state: 'claimed', turn: turn.input.turn }] });
}
