import { text, type ContentBlock } from './content.ts';
import type { SessionEventOf, SurfaceEvent } from './events.ts';

/** A text of a result longer than this many characters may be cut. */
export const PRUNE_THRESHOLD = 8_192;
const HEAD = 4_096;
const TAIL = 1_024;
const MARK = '\n\n[... tool result middle pruned ...]\n\n';

/** A result with a shorter copy of what it says. */
export interface PrunedResult {
  result: SessionEventOf<'tool/result'>;
  content: ContentBlock[];
}

/** The results among these nodes that are long, each with its shortened content. */
export function pruneResults(nodes: readonly SurfaceEvent[]): PrunedResult[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'tool/result' || !node.data.content.some(isLong)) return [];
    return [{ result: node, content: node.data.content.map((block) => (isLong(block) ? shortened(block) : block)) }];
  });
}

function isLong(block: ContentBlock): block is ContentBlock & { type: 'text' } {
  if (block.type !== 'text' || block.text.length <= PRUNE_THRESHOLD) return false;
  // Counted as head and tail are: else a copy could be longer than the text, and be cut again and again.
  return block.text.length > 2 * PRUNE_THRESHOLD || Array.from(block.text).length > PRUNE_THRESHOLD;
}

function shortened({ text: whole }: { text: string }): ContentBlock {
  return text(`${headOf(whole)}${MARK}${tailOf(whole)}`);
}

// A code point is one or two UTF-16 units, so this much surely holds enough of them, and no half one counts.
const headOf = (whole: string): string =>
  Array.from(whole.slice(0, 2 * HEAD))
    .slice(0, HEAD)
    .join('');

const tailOf = (whole: string): string => {
  const points = Array.from(whole.slice(-2 * TAIL));
  return points.slice(Math.max(0, points.length - TAIL)).join('');
};
