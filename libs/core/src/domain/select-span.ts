import type { SurfaceEvent } from './events.ts';

/** Says who put a summary in place of what it sums up. */
export const COMPACTION_SOURCE = { kind: 'plugin', plugin: 'compact' } as const;

export interface SelectSpanInput {
  /** The surface, in order. */
  nodes: readonly SurfaceEvent[];
  priceOf(seq: number): number;
  /** How many tokens of the newest are to stay. */
  retain: number;
  /** The step that has not ended. */
  open?: { turn: number; step: number };
}

/**
 * How many of the oldest nodes can be summed up: a tail that costs at least `retain` stays, no call is parted from its
 * result, and an open step is left whole. 0 = nothing worth it.
 */
export function selectSpan({ nodes, priceOf, retain, open }: SelectSpanInput): number {
  const limit = Math.min(tailStart(nodes, priceOf, retain), openStart(nodes, open));
  const end = lastBalanced(nodes, limit);
  // A summary of a summary says no more.
  return end === 1 && isSummary(nodes[0]) ? 0 : end;
}

/** How many of the oldest nodes stand before the tail that stays. */
export function tailStart(nodes: readonly SurfaceEvent[], priceOf: (seq: number) => number, retain: number): number {
  let start = nodes.length;
  for (let tokens = 0; tokens < retain && start > 0;) {
    start -= 1;
    tokens += priceOf((nodes[start] as SurfaceEvent).seq);
  }
  return start;
}

/** Where the open step begins on the surface. */
export function openStart(nodes: readonly SurfaceEvent[], open: SelectSpanInput['open']): number {
  if (!open) return nodes.length;
  const at = nodes.findLastIndex(
    ({ type, data }) => type === 'assistant/message' && data.turn === open.turn && data.step === open.step,
  );
  return at === -1 ? nodes.length : at;
}

/** The furthest cut up to a limit at which every call before it has its result before it. */
function lastBalanced(nodes: readonly SurfaceEvent[], limit: number): number {
  const waiting = new Map<string, number>();
  let best = 0;
  for (const [index, { type, data }] of nodes.slice(0, limit).entries()) {
    if (type === 'assistant/message') {
      for (const block of data.content) if (block.type === 'tool-call') count(waiting, block.id, 1);
    } else if (type === 'tool/result') count(waiting, data.callId, -1);
    if (waiting.size === 0) best = index + 1;
  }
  return best;
}

function count(waiting: Map<string, number>, call: string, change: 1 | -1): void {
  const left = (waiting.get(call) ?? 0) + change;
  if (left === 0) waiting.delete(call);
  else waiting.set(call, left);
}

/** Whether a node is a summary of what stood in its place. */
export function isSummary(node: SurfaceEvent | undefined): boolean {
  if (node?.type !== 'user/message' || node.surfaceOp === 'append') return false;
  const { source } = node.data;
  return source.kind === 'plugin' && source.plugin === COMPACTION_SOURCE.plugin;
}
