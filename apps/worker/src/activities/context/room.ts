import {
  blockTokens,
  compactionPolicy,
  headerTokens,
  isLlmError,
  thresholdTokens,
  type CompactionPolicy,
  type ContentBlock,
  type EpochHeader,
  type TokenUsage,
} from '@everturn/core/domain';
import type { ActivityDeps } from '../activity-deps.ts';
import type { DerivedSession } from './derived-sessions.ts';

type Deps = Pick<ActivityDeps, 'llm' | 'compaction' | 'log'>;

/** What is known of a model's window, and what is to happen as it fills. */
export interface Capacity {
  policy: CompactionPolicy;
  /** Absent: nobody says how much the model holds. */
  contextWindow?: number;
}

/** The capacity of the model a request goes to. */
export function capacityOf({ llm, compaction }: Omit<Deps, 'log'>, { config }: EpochHeader): Capacity {
  const { provider, model } = config;
  const policy = compactionPolicy(compaction, { provider, model });
  try {
    return { policy, ...llm.context({ provider, model }) };
  } catch (error) {
    if (isLlmError(error)) return { policy };
    throw error;
  }
}

const warned = new Set<string>();

/** How many tokens the history may still gain after an answer; `undefined` where nothing ever shortens it by itself. */
export function roomAfter(
  deps: Deps,
  { header, derived, answer }: { header: EpochHeader; derived: DerivedSession; answer: Answered },
): number | undefined {
  const { policy, contextWindow } = capacityOf(deps, header);
  if (!policy.auto) return undefined;
  if (contextWindow === undefined) {
    warnOnce(deps, `${header.config.provider}/${header.config.model}`);
    return undefined;
  }
  const threshold = thresholdTokens(policy, contextWindow);
  // What fills the window is no history; summing that up would cost something at every step, and help at none.
  if (headerTokens(header) >= threshold) return undefined;
  return threshold - tokensAfter({ header, derived, answer });
}

interface Answered {
  content: readonly ContentBlock[];
  usage?: TokenUsage;
}

function tokensAfter({ header, derived, answer }: { header: EpochHeader; derived: DerivedSession; answer: Answered }) {
  const said = answer.content.reduce((sum, block) => sum + blockTokens(block), 4);
  const measured = derived.meter.measure(header);
  if (!answer.usage) return measured.totalTokens + said;
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = answer.usage;
  const priced = headerTokens(header) + measured.surfaceTokens + said;
  return Math.max(priced, inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens);
}

function warnOnce({ log }: Pick<Deps, 'log'>, model: string): void {
  if (warned.has(model)) return;
  warned.add(model);
  log.warn({ model }, 'histories of this model are never shortened in time: its contextWindow is not configured');
}
