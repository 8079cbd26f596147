import './core-events.ts';
import { canonicalJson } from './canonical-json.ts';
import { DomainError } from './errors.ts';
import { isSurfaceType } from './event-registry.ts';
import type { SessionEvent, SessionEventOf, SurfaceEvent } from './events.ts';

/** One replacement: which nodes the event `seq` stands for now. */
export interface Replacement {
  seq: number;
  start: number;
  end: number;
  shadowedSeqs: number[];
}

/** The surface of a log: the nodes that can become messages, in their order, and what was replaced. */
export interface Surface {
  nodes: SurfaceEvent[];
  replacements: Replacement[];
}

/** Folds a whole log into its surface; throws `DOMAIN_INVALID_SURFACE` at the first event that breaks the rules. */
export function foldSurface(events: Iterable<SessionEvent>): Surface {
  const fold = new SurfaceFold();
  for (const event of events) fold.apply(event);
  return { nodes: fold.nodes(), replacements: [...fold.replacements] };
}

/** The surface, kept up to date event by event: the one implementation of where a node stands. */
export class SurfaceFold {
  readonly #nodes: SurfaceEvent[] = [];
  readonly #current = new Set<number>();
  readonly #replacements: Replacement[] = [];

  /** The current nodes in order; a fresh array over shared events. */
  nodes(): SurfaceEvent[] {
    return [...this.#nodes];
  }
  /** The node at a position of the surface. */
  at(position: number): SurfaceEvent | undefined {
    return this.#nodes[position];
  }
  get length(): number {
    return this.#nodes.length;
  }
  /** Every replacement so far, in log order. */
  get replacements(): readonly Replacement[] {
    return this.#replacements;
  }
  /** Rises with each replacement: what was derived from an earlier generation is void. */
  get replaceGeneration(): number {
    return this.#replacements.length;
  }
  /** Whether the event `seq` is a current node. */
  has(seq: number): boolean {
    return this.#current.has(seq);
  }

  /** What forbids the event's surface metadata, as text; `undefined` when it may be applied. */
  check(event: SessionEvent): string | undefined {
    if (!isSurfaceType(event.type)) return checkLogOnly(event);
    const node = event as SurfaceEvent;
    if (node.surfaceOp === undefined) return `${node.type} stands on the surface: surfaceOp is missing`;
    const wrong = checkSources(node);
    if (wrong || node.surfaceOp === 'append') return wrong;
    const span = this.#span(node.surfaceOp);
    return typeof span === 'string' ? span : checkReplacement(node, this.#nodes.slice(span.from, span.to));
  }

  /** Takes the log's next event; throws `DOMAIN_INVALID_SURFACE` and changes nothing if it breaks the rules. */
  apply(event: SessionEvent): void {
    const wrong = this.check(event);
    if (wrong) throw new DomainError('DOMAIN_INVALID_SURFACE', `event ${event.seq}: ${wrong}`);
    if (!isSurfaceType(event.type)) return;
    const node = event as SurfaceEvent;
    if (node.surfaceOp === 'append') this.#nodes.push(node);
    else this.#replace(node, node.surfaceOp);
    this.#current.add(node.seq);
  }

  #replace(node: SurfaceEvent, op: { start: number; end: number }): void {
    const span = this.#span(op);
    if (typeof span === 'string') return;
    const shadowedSeqs = this.#nodes.splice(span.from, span.to - span.from, node).map(({ seq }) => seq);
    for (const seq of shadowedSeqs) this.#current.delete(seq);
    this.#replacements.push(Object.freeze({ seq: node.seq, start: op.start, end: op.end, shadowedSeqs }));
  }

  #span({ start, end }: { start: number; end: number }): { from: number; to: number } | string {
    const missing = [start, end].find((seq) => !this.#current.has(seq));
    if (missing !== undefined) return `replace bound ${missing} is not a current node`;
    const from = this.#nodes.findIndex(({ seq }) => seq === start);
    const last = this.#nodes.findIndex(({ seq }) => seq === end);
    return from <= last ? { from, to: last + 1 } : `replace start ${start} stands after its end ${end}`;
  }
}

function checkLogOnly(event: SessionEvent): string | undefined {
  if (event.surfaceOp === undefined && event.sourceEventSeqs === undefined) return undefined;
  return `${event.type} does not stand on the surface: it has no surfaceOp and no sourceEventSeqs`;
}

function checkSources({ type, seq, sourceEventSeqs }: SurfaceEvent): string | undefined {
  if (!sourceEventSeqs) return undefined;
  if (sourceEventSeqs.length === 0) return type === 'assistant/message' ? undefined : 'sourceEventSeqs is empty';
  const odd = sourceEventSeqs.find((source) => !Number.isSafeInteger(source) || source < 0 || source >= seq);
  if (odd !== undefined) return `source ${odd} is not the number of an earlier event`;
  return new Set(sourceEventSeqs).size === sourceEventSeqs.length ? undefined : 'a source is listed twice';
}

function checkReplacement(node: SurfaceEvent, shadowed: readonly SurfaceEvent[]): string | undefined {
  const sources = new Set(node.sourceEventSeqs);
  const unlisted = shadowed.find(({ seq }) => !sources.has(seq));
  if (unlisted) return `the shadowed node ${unlisted.seq} is not listed in sourceEventSeqs`;
  if (node.type !== 'tool/result') return undefined;
  const [original, ...more] = shadowed;
  if (original?.type !== 'tool/result' || more.length > 0) return 'a tool/result replaces exactly one tool/result';
  return identity(node) === identity(original)
    ? undefined
    : `a copy of result ${original.seq} differs from it in content only`;
}

function identity({ data: { content: _content, ...rest } }: SessionEventOf<'tool/result'>): string {
  return canonicalJson(rest);
}
