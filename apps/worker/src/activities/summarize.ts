import {
  contentTokens,
  deriveMessages,
  summaryMessage,
  summaryOf,
  SUMMARY_INSTRUCTION,
  text,
  type EpochHeader,
  type JsonValue,
  type LlmCallConfig,
  type Message,
} from '@everturn/core/domain';
import {
  recorded,
  summaryOutcome,
  type CompactionActivities,
  type SummarizeInput,
  type SummaryOutcome,
} from '../contract/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { catchUp } from './context/catch-up.ts';
import type { DerivedSession } from './context/derived-sessions.ts';
import { capacityOf } from './context/room.ts';
import type { Performance, PerformInput } from './effects/effect.ts';
import { stopReason } from './effects/running-effect.ts';
import { withPluginModels } from './context/with-plugin-models.ts';
import { failingAs } from './failure.ts';
import { picturesFor } from './images/pictures-for.ts';
import { collectAnswer } from './streaming/collect-answer.ts';
import { awaitRouteTurn, countTokens } from './streaming/route-turn.ts';
import { wrappedSource } from './streaming/wrapped-source.ts';

/**
 * One attempt at a summary of the history's beginning. Whoever was lost over it has changed nothing but the bill, so
 * that another may ask again.
 */
export function summarizeActivity(everything: ActivityDeps): CompactionActivities['summarize'] {
  return (input) =>
    failingAs(async () => {
      const deps = withPluginModels(everything, input);
      const header = await deps.values.resolve<EpochHeader>(input.tenant, input.header);
      const { provider } = configFor(deps, header);
      await awaitRouteTurn(deps, { provider, claim: input.claim, input });
      const derived = await catchUp(deps, input);
      const result = await deps.effects.run<JsonValue>({
        ...input,
        label: 'summary',
        readFrom: derived.readFrom,
        perform: (held) => perform({ deps, input, header, derived, held }),
        afterLapse: 'run-again',
        closed: () => recorded({ kind: 'aborted' } satisfies SummaryOutcome),
      });
      return { acks: result.acks, outcome: summaryOutcome(result.outcome) };
    });
}

interface CallInput {
  deps: ActivityDeps;
  input: SummarizeInput;
  header: EpochHeader;
  derived: DerivedSession;
  held: PerformInput;
}

async function perform(call: CallInput): Promise<Performance<JsonValue>> {
  call.derived.readOn(call.held.rows);
  call.deps.derived.keep(call.input, call.derived);
  const outcome = await ask(call);
  if (outcome.kind === 'aborted' && stopReason(call.held.signal) === 'shutdown') return { kind: 'relinquished' };
  return { kind: 'settled', outcome: recorded(outcome) };
}

async function ask({ deps, input, header, derived, held }: CallInput): Promise<SummaryOutcome> {
  const { start, end, nodes: count, tokens } = input.span;
  const span = derived.nodes().slice(0, count);
  if (span[0]?.seq !== start || span.at(-1)?.seq !== end || span.length !== count)
    return failed('CHANGED', 'the history changed while it was to be summed up');
  const { signal } = held;
  const { tenant, session, turn, step } = input;
  const config = configFor(deps, header);
  const messages = [...(header.messagePrefix ?? []), ...deriveMessages(span), question];
  Object.freeze(messages);
  const attachments = await picturesFor(deps, { tenant, config, messages, signal });
  const answer = await collectAnswer({
    source: wrappedSource(deps.llm, {
      listeners: deps.registry.view(input).listeners('llm/stream'),
      context: { initiator: { tenant, session, turn, step }, signal },
      limitMs: deps.listenerTimeoutMs,
    }),
    options: Object.freeze({
      ...config,
      ...(header.system !== undefined && { system: header.system }),
      ...(header.tools && { tools: header.tools }),
      messages,
      tenant,
      sessionId: session,
      purpose: 'compaction' as const,
      ...(attachments && { attachments }),
      signal,
    }),
    onChunk: () => undefined,
  });
  if (answer.kind === 'interrupted') return { kind: 'aborted' };
  await countTokens(deps, { provider: config.provider, tenant, usage: answer.usage });
  if (answer.kind === 'failure') return answer;
  const usage = answer.usage && { usage: answer.usage };
  const found = summaryOf(answer);
  if (!('summary' in found)) return { kind: 'failure', failure: found, ...usage };
  if (contentTokens(summaryMessage(found.summary)) + 4 >= tokens)
    return { ...failed('NOT_SMALLER', 'summary is not smaller than the shadowed content'), ...usage };
  const { provider, model, maxTokens } = config;
  return { kind: 'summary', summary: found.summary, provider, model, maxTokens, ...usage };
}

const question: Message = { role: 'user', content: [text(SUMMARY_INSTRUCTION)] };

const failed = (code: 'CHANGED' | 'NOT_SMALLER', message: string) =>
  ({ kind: 'failure', failure: { code, message } }) as const;

/** The session's own sampling, so that the provider knows the request's beginning; without words that would end a summary early. */
function configFor(deps: ActivityDeps, header: EpochHeader): LlmCallConfig & { maxTokens: number } {
  const { policy } = capacityOf(deps, header);
  const { stop: _, ...config } = header.config;
  const { summarization, maxTokens } = policy;
  if (!summarization) return { ...config, maxTokens };
  const { reasoningEffort: _effort, ...sampling } = config; // another model may know no such thing
  return { ...sampling, ...summarization, maxTokens };
}
