import { z } from 'zod';
import type { AuthoredSurface } from './authored.ts';
import type { SourceRef } from './events.ts';
import { isSurfaceType } from './event-registry.ts';
import { explainIssues } from './explain-issues.ts';
import { EventId, parseEventId } from './ids.ts';
import { Natural } from './scalars.ts';

const Reference = z.union([EventId, Natural]);

/** The strict shape of {@link AuthoredSurface}. */
export const AuthoredSurfaceSchema = z.strictObject({
  surfaceOp: z.union([
    z.literal('append'),
    z.strictObject({ op: z.literal('replace'), start: Reference, end: Reference }),
  ]),
  sources: z.array(z.union([EventId, z.strictObject({ from: Natural, to: Natural })])).exactOptional(),
});

/** What forbids the surface metadata of an authored event, as text; positions are checked when it is numbered. */
export function checkAuthoredSurface(
  type: string,
  eid: EventId,
  surface: AuthoredSurface | undefined,
): string | undefined {
  if (!isSurfaceType(type))
    return surface ? `${type} does not stand on the surface: leave surface metadata out` : undefined;
  if (!surface) return `${type} stands on the surface: say where (surfaceOp)`;
  const shape = AuthoredSurfaceSchema.safeParse(surface);
  if (!shape.success) return explainIssues(shape.error, 'surface');
  const { surfaceOp, sources } = surface;
  if (surfaceOp !== 'append' && !sources?.length) return 'a replacement lists the nodes it shadows as sources';
  if (surfaceOp !== 'append') {
    const bound = [surfaceOp.start, surfaceOp.end].find((name) => !isEarlier(name, eid));
    if (bound !== undefined) return `replace bound ${bound} is not an earlier event`;
  }
  return sources && checkSources(type, eid, sources);
}

function checkSources(type: string, eid: EventId, sources: readonly SourceRef[]): string | undefined {
  if (sources.length === 0 && type !== 'assistant/message') return 'sources are left out or name at least one event';
  const names = new Set<string>();
  let last: { from: number; to: number } | undefined;
  for (const source of sources.filter((entry) => typeof entry === 'object').toSorted((a, b) => a.from - b.from)) {
    if (source.to < source.from) return `source range ${source.from}..${source.to} ends before it begins`;
    if (last && source.from <= last.to) return `source ${source.from} is listed twice`;
    last = source;
  }
  for (const source of sources.filter((entry) => typeof entry === 'string')) {
    if (!isEarlier(source, eid)) return `source ${source} is not an earlier event`;
    if (names.has(source)) return `source ${source} is listed twice`;
    names.add(source);
  }
  return undefined;
}

function isEarlier(reference: EventId | number, eid: EventId): boolean {
  if (typeof reference === 'number') return true;
  const own = parseEventId(eid);
  const other = parseEventId(reference);
  if (!own || !other || other.author !== own.author) return true;
  return other.generation < own.generation || (other.generation === own.generation && other.n < own.n);
}
