import {
  headerTokens,
  openStart,
  pruneResults,
  retainedTokens,
  selectSpan,
  tailStart,
  thresholdTokens,
  whatIsTooBig,
  type EpochHeader,
  type SurfaceEvent,
} from '@everturn/core/domain';
import { readEvents } from '@everturn/core/postgres';
import type { CompactionActivities, CompactionPlan, PlanCompactionInput, ResultCopy } from '../contract/index.ts';
import { commit } from '../projection/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { catchUp } from './context/catch-up.ts';
import type { DerivedSession } from './context/derived-sessions.ts';
import { capacityOf, type Capacity } from './context/room.ts';
import { withPluginModels } from './context/with-plugin-models.ts';
import { failingAs } from './failure.ts';

const PAGE_ROWS = 1_000;

/** Looks at the history as it stands in the log and says what makes it shorter, if anything has to. */
export function planCompactionActivity(everything: ActivityDeps): CompactionActivities['planCompaction'] {
  return (input) =>
    failingAs(async () => {
      const deps = withPluginModels(everything, input);
      const { acks } = await commit(deps.projection, input);
      return { acks, ...(await plan(deps, input)) };
    });
}

async function plan(
  deps: ActivityDeps,
  input: PlanCompactionInput,
): Promise<{ plan: CompactionPlan; tooBig?: string }> {
  const header = await deps.values.resolve<EpochHeader>(input.tenant, input.header);
  const capacity = capacityOf(deps, header);
  const derived = await upToDate(deps, input);
  const found = { capacity, totalTokens: derived.meter.measure(header).totalTokens };
  const due = isDue(deps, input, found);
  const next: CompactionPlan =
    due === 'yes'
      ? await toShorten(deps, input, { derived, capacity })
      : { kind: 'enough', ...(due === 'in-vain' && { vain: true }) };
  if (input.trigger !== 'overflow') return { plan: next };
  const { contextWindow } = capacity;
  const tooBig = whatIsTooBig({
    header: headerTokens(header),
    nodes: derived.nodes().map(({ seq }) => ({ seq, tokens: derived.meter.priceOf(seq) })),
    ...(contextWindow !== undefined && { contextWindow }),
  });
  return { plan: next, tooBig };
}

async function toShorten(
  deps: ActivityDeps,
  input: PlanCompactionInput,
  { derived, capacity }: { derived: DerivedSession; capacity: Capacity },
): Promise<CompactionPlan> {
  const nodes = derived.nodes();
  const retain = input.trigger === 'pressure' ? retainedOf(capacity) : 0;
  const copies = input.trigger === 'manual' ? [] : await prunable(deps, input, { derived, nodes, retain });
  if (copies.length > 0) return { kind: 'prune', copies };
  const priceOf = (seq: number) => derived.meter.priceOf(seq);
  const count = selectSpan({ nodes, priceOf, retain, ...(input.open && { open: input.open }) });
  const span = nodes.slice(0, count).map(({ seq }) => seq);
  const [start, end] = [span[0], span.at(-1)];
  if (start === undefined || end === undefined) return { kind: 'enough' };
  return {
    kind: 'sum-up',
    span: {
      shadowedRange: { start, end },
      shadowedSeqs: span,
      shadowedTokenCount: span.reduce((sum, seq) => sum + priceOf(seq), 0),
    },
  };
}

const retainedOf = ({ policy, contextWindow = 0 }: Capacity): number => retainedTokens(policy, contextWindow);

interface Found {
  capacity: Capacity;
  totalTokens: number;
}

function isDue(
  deps: ActivityDeps,
  input: PlanCompactionInput,
  { capacity, totalTokens }: Found,
): 'yes' | 'no' | 'in-vain' {
  const { policy, contextWindow } = capacity;
  const { trigger, summaries } = input;
  if (trigger !== 'pressure')
    return summaries === 0 && (trigger === 'manual' || input.priorOverflows < policy.maxOverflowRetries) ? 'yes' : 'no';
  if (contextWindow === undefined || totalTokens < thresholdTokens(policy, contextWindow)) return 'no';
  if (summaries <= policy.compactionRetries) return 'yes';
  const { session } = input;
  deps.log.warn(
    { session, totalTokens, contextWindow },
    `compaction still above threshold after ${summaries} compaction attempts (${totalTokens} of ${contextWindow} tokens)`,
  );
  return 'in-vain';
}

/** Long results outside the tail that stays, each with its shorter copy; what the model has not read yet stays whole. */
async function prunable(
  deps: ActivityDeps,
  { tenant, open }: PlanCompactionInput,
  { derived, nodes, retain }: { derived: DerivedSession; nodes: readonly SurfaceEvent[]; retain: number },
): Promise<ResultCopy[]> {
  const priceOf = (seq: number) => derived.meter.priceOf(seq);
  const old = nodes.slice(0, Math.min(tailStart(nodes, priceOf, retain), openStart(nodes, open)));
  const copies: ResultCopy[] = [];
  for (const { result, content } of pruneResults(old)) {
    const reference = await deps.values.store(tenant, content);
    copies.push({ seq: result.seq, tokens: priceOf(result.seq), data: { ...result.data, content: reference } });
  }
  return copies;
}

/** The session as its log stands now. */
async function upToDate(deps: ActivityDeps, input: PlanCompactionInput): Promise<DerivedSession> {
  const derived = await catchUp(deps, input);
  const { tenant, session } = input;
  for (let next: number | undefined = derived.readFrom; next !== undefined;) {
    const page = await readEvents(deps.database, { tenant, session, from: next, chunks: false, limit: PAGE_ROWS });
    derived.readOn(page.events);
    next = page.next;
  }
  deps.derived.keep(input, derived);
  return derived;
}
