import { isBlobRef } from '@everturn/core/domain';
import type { Ack, AuthoredEvent, BlobRef, JsonValue, MessageEntry, SeqRange } from '@everturn/core/domain';
import type { InjectContext, SubmitPrompt } from '@everturn/core/protocol';
import type { JobEnd } from '@everturn/tools/kit';
import { isLostJob, isUnknownOutcome, jobClaim, modelClaim, placedClaim, recorded } from '../../contract/index.ts';
import type {
  AdmittedJob,
  ClaimKey,
  Commit,
  FoundRows,
  InterceptResult,
  JobNotice,
  ModelOutcome,
  PromptChange,
  Settlement,
  ToolOutcome,
  WrittenEvent,
} from '../../contract/index.ts';
import { JobFacts } from './job-facts.ts';

/** An effect as histories know it: `unknown` = begun, and no history says how it ended. */
export type EffectFact = { turn: number; step: number; label: string } & (
  | { state: 'done'; outcome: JsonValue; written: WrittenEvent[] }
  | { state: 'unknown' | 'void' }
);

/** A message as its sender gave it to the session. */
export interface PromptFact {
  mode: 'send' | 'steer' | 'inject';
  entry: MessageEntry;
}

/** How far a message came; a later one outlives an earlier one. */
const PROMPT_ORDER = ['queued', 'claimed', 'done', 'discarded'];

interface ActivityInput {
  generation?: number;
  commit?: Commit;
  turn?: number;
  step?: number;
  call?: { index: number; name: string };
  /** Of an activity that runs one; others name it. */
  job?: AdmittedJob;
  /** Of a question to listeners, of a summary or of a title. */
  claim?: ClaimKey;
  interception?: { point: string };
  parent?: { index: number };
}
interface ActivityResult {
  acks?: Ack[];
  generation?: number;
  written?: WrittenEvent[];
  chunks?: SeqRange[];
  found?: FoundRows;
  settlements?: Record<ClaimKey, Settlement>;
  outcome?: ModelOutcome | ToolOutcome;
  end?: JobEnd;
  notices?: JobNotice[];
}

/** Everything the histories of one session say about its log. Knows the members of activities' inputs and results. */
export class HistoryFacts {
  /** Content by event name. */
  readonly contents = new Map<string, AuthoredEvent>();
  /** Number and time by event name. */
  readonly numbers = new Map<string, Ack>();
  readonly chunks: SeqRange[] = [];
  /** Lists that were too long to travel; whoever can read them hands them to `takeDeferred`. */
  readonly deferred: { member: 'acks' | 'events'; reference: BlobRef }[] = [];
  readonly effects = new Map<ClaimKey, EffectFact>();
  readonly prompts = new Map<string, PromptFact>();
  readonly promptStates = new Map<string, PromptChange>();
  readonly jobs = new JobFacts();
  /** The highest generation any author belonged to. */
  generation = 0;

  /** `at`: when it was scheduled, in epoch ms. */
  takeInput(activity: string, argument: unknown, at = 0): void {
    const input = asObject<ActivityInput>(argument);
    this.jobs.takeInput(activity, input, at);
    this.generation = Math.max(this.generation, input.generation ?? 0);
    for (const event of input.commit?.events ?? []) this.contents.set(event.eid, event);
    for (const change of input.commit?.rows?.prompts ?? []) this.#takePromptChange(change);
    const effect = effectOf(activity, input);
    if (effect && !this.effects.has(effect.key)) this.effects.set(effect.key, { ...effect.fact, state: 'unknown' });
  }

  /** `at`: when it was done, in epoch ms. */
  takeResult(activity: string, argument: unknown, value: unknown, at = 0): void {
    const result = asObject<ActivityResult>(value);
    this.jobs.takeResult(activity, asObject(argument), asObject(value), at);
    this.generation = Math.max(this.generation, result.generation ?? 0);
    this.takeNumbers(result.acks ?? []);
    this.#takeWritten(result.written);
    this.chunks.push(...(result.chunks ?? []));
    if (result.found) this.#takeFound(result.found);
    for (const [key, settlement] of Object.entries(result.settlements ?? {})) this.#takeSettlement(key, settlement);
    for (const { entry } of result.notices ?? []) this.prompts.set(entry.requestId, { mode: 'inject', entry });
    const effect = effectOf(activity, asObject<ActivityInput>(argument));
    const outcome = activity === 'intercept' ? answerOf(value) : (result.outcome ?? result.end);
    if (!effect || outcome === undefined) return;
    this.effects.set(
      effect.key,
      isUnknown(activity, outcome)
        ? { ...effect.fact, state: 'unknown' }
        : { ...effect.fact, state: 'done', outcome: recorded(outcome), written: result.written ?? [] },
    );
  }

  takeNumbers(acks: readonly Ack[]): void {
    for (const ack of acks) this.numbers.set(ack.eid, ack);
  }

  /** The value of a deferred list, as recovery stored it. */
  takeDeferred(member: 'acks' | 'events', value: unknown): void {
    if (member === 'acks') this.takeNumbers(value as Ack[]);
    else this.#takeWritten(value as WrittenEvent[]);
  }

  takeSubmittedPrompt({ requestId, mode, content, source, preview }: SubmitPrompt): void {
    // What steers is kept as a prompt too: should its turn be over before it is read, it is one.
    this.prompts.set(requestId, { mode, entry: { requestId, kind: 'prompt', content, source, preview } });
  }

  takeInjection({ requestId, content, source, meta }: InjectContext): void {
    const entry: MessageEntry = { requestId, kind: 'injection', content, source, preview: '', ...(meta !== undefined && { meta }) };
    this.prompts.set(requestId, { mode: 'inject', entry });
  }

  #takeWritten(written: readonly WrittenEvent[] = []): void {
    for (const { event, seq, time } of written) {
      this.contents.set(event.eid, event);
      this.takeNumbers([{ eid: event.eid, seq, time }]);
    }
  }

  #takeFound({ events, acks, chunks, settled = [] }: FoundRows): void {
    if (isBlobRef(events)) this.deferred.push({ member: 'events', reference: events });
    else this.#takeWritten(events);
    if (isBlobRef(acks)) this.deferred.push({ member: 'acks', reference: acks });
    else this.takeNumbers(acks);
    this.chunks.push(...chunks);
    for (const { key, ...fact } of settled) this.effects.set(key, fact);
  }

  #setWithoutOutcome(key: ClaimKey, state: 'void' | 'unknown'): void {
    // What never began left no word of its place.
    const { turn = 0, step = 0, label = '' } = (state === 'unknown' && this.effects.get(key)) || {};
    this.effects.set(key, { turn, step, label, state });
  }

  #takeSettlement(key: ClaimKey, settlement: Settlement): void {
    if (settlement.state !== 'not-started') this.chunks.push(...settlement.chunks);
    if (settlement.state === 'done') this.#takeWritten(settlement.written);
    if (settlement.state !== 'done')
      return this.#setWithoutOutcome(key, settlement.state === 'unknown' ? 'unknown' : 'void');
    const { turn = 0, step = 0, label = '' } = this.effects.get(key) ?? {};
    const { outcome, written } = settlement;
    this.effects.set(key, { turn, step, label, state: 'done', outcome, written });
  }

  #takePromptChange(change: PromptChange): void {
    const known = this.promptStates.get(change.promptId);
    if (known && PROMPT_ORDER.indexOf(known.state) > PROMPT_ORDER.indexOf(change.state)) return;
    this.promptStates.set(change.promptId, { ...known, ...change });
  }
}

/** The claim an activity takes. */
function effectOf(activity: string, { turn, step, call, parent, job, claim, interception }: ActivityInput) {
  if (turn === undefined || step === undefined) return undefined;
  if (activity === 'streamModel') return { key: modelClaim(turn, step), fact: { turn, step, label: 'model' } };
  if ((activity === 'runTool' || activity === 'readAgent') && call)
    return { key: placedClaim({ turn, step, call, parent }), fact: { turn, step, label: call.name } };
  if ((activity === 'runJob' || activity === 'endAgentJob') && call && job)
    return { key: jobClaim(job.id), fact: { turn, step, label: call.name } };
  if (activity === 'intercept' && claim !== undefined)
    return { key: claim, fact: { turn, step, label: interception?.point ?? '' } };
  if (activity === 'askTitle' && claim !== undefined) return { key: claim, fact: { turn, step, label: 'title' } };
  if (activity === 'summarize' && claim !== undefined) return { key: claim, fact: { turn, step, label: 'summary' } };
  return undefined;
}

/** Whether an outcome says no more than that its effect may have happened. */
function isUnknown(activity: string, outcome: object): boolean {
  if (activity === 'runTool') return isUnknownOutcome(outcome as ToolOutcome);
  return (activity === 'runJob' || activity === 'endAgentJob') && isLostJob(outcome as JobEnd);
}

/** What listeners answered, as their claim holds it. */
function answerOf(value: unknown): object {
  const { acks: _numbers, registry: _version, ...answer } = asObject<InterceptResult>(value);
  return answer;
}

function asObject<T extends object>(value: unknown): Partial<T> {
  return typeof value === 'object' && value !== null ? (value as Partial<T>) : {};
}
