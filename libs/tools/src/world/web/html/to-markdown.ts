import type { Element, Nodes, Parents, RootContent } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { toMdast } from 'hast-util-to-mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown as markdownText } from 'mdast-util-to-markdown';
import { defaultTreeAdapter, parse } from 'parse5';

/** What a page was turned into. */
export interface Markdown {
  text: string;
  /** The page went on after `maxCharacters` of text. */
  truncated: boolean;
}

const MAX_DEPTH = 512;
const DROPPED = new Set(['script', 'style', 'noscript', 'template']);

/** A page nests deeper than any that was written for people. */
export class TooDeep extends Error {
  override name = 'TooDeep';
}

/**
 * Turns a page into Markdown, as far as `maxCharacters` of its text go. Throws {@link TooDeep} while parsing, so
 * that neither the parser nor what recurses through the tree later meets more than so many levels.
 */
export function toMarkdown(html: string, maxCharacters: number): Markdown {
  const root = fromParse5(parse(html, { treeAdapter: boundedTree() })) as Parents;
  const budget = { left: maxCharacters };
  prune(root, budget);
  const text = markdownText(toMdast(root as Nodes), { extensions: [gfmToMarkdown({ tablePipeAlign: false })] });
  return { text, truncated: budget.left < 0 };
}

/** A tree that counts the elements open around the place where the parser is, whatever tags were left unclosed. */
function boundedTree(): typeof defaultTreeAdapter {
  let depth = 0;
  return {
    ...defaultTreeAdapter,
    onItemPush: () => {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TooDeep(`more than ${MAX_DEPTH} elements inside each other`);
    },
    onItemPop: () => {
      depth -= 1;
    },
  };
}

/** Takes out what no reader sees, and what lies beyond the budget of text. */
function prune(parent: Parents, budget: { left: number }): void {
  const kept: RootContent[] = [];
  for (const child of parent.children as RootContent[]) {
    if (budget.left < 0) break;
    if (child.type === 'element' && DROPPED.has(child.tagName)) continue;
    if (child.type === 'text') budget.left -= child.value.length;
    if (child.type === 'element') simplify(child);
    if ('children' in child) prune(child, budget);
    kept.push(child);
  }
  parent.children = kept as typeof parent.children;
}

/** A span says how many cells to make: a single attribute would ask for millions of them. */
function simplify({ properties }: Element): void {
  delete properties['colSpan'];
  delete properties['rowSpan'];
}
