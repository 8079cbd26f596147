import type { JsonObject, JsonValue } from '@everturn/core/domain';

export interface ReadPagesInput {
  /** The member of each page that holds its entries. */
  member: string;
  page(cursor: string | undefined): Promise<JsonObject>;
}

const MAX_PAGES = 1_000;

/** Every entry of a paged list; throws for a server whose pages have no end. */
export async function readPages({ member, page }: ReadPagesInput): Promise<JsonValue[]> {
  const entries: JsonValue[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const answer = await page(cursor);
    entries.push(...entriesOf(answer, member));
    cursor = nextCursor(answer);
    if (cursor === undefined) return entries;
    if (seen.has(cursor) || seen.size >= MAX_PAGES) throw new Error(`its list of ${member} has no end`);
    seen.add(cursor);
  }
}

/** The entries of one page; throws when there is no list. */
export function entriesOf(answer: JsonObject, member: string): readonly JsonValue[] {
  const entries = answer[member];
  if (!Array.isArray(entries)) throw new Error(`its answer has no list of ${member}`);
  return entries;
}

export const nextCursor = ({ nextCursor: cursor }: JsonObject): string | undefined =>
  typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
