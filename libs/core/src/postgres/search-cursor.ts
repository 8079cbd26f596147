import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson, SessionId, SessionQueryError } from '../domain/index.ts';

/** Lengths and counts are `int4` to the server. */
const count = z.int().min(0).max(2_147_483_647);

/** Where a page ended, in the order of ranks. */
export const SearchPlace = z.strictObject({
  spans: count,
  size: count,
  time: z.int(),
  session: SessionId,
  seq: z.int().nonnegative(),
});
export type SearchPlace = z.output<typeof SearchPlace>;

const Cursor = z.strictObject({ request: z.string(), upTo: z.int().nonnegative(), place: SearchPlace });
export type SearchCursor = z.output<typeof Cursor>;

/** What a cursor belongs to. */
export const requestDigest = (request: object): string =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(request))))
    .digest('base64url')
    .slice(0, 22);

/** A cursor as callers hand it on. */
export const encodeCursor = (cursor: SearchCursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** Reads a cursor that was given for the same request; throws `SESSION_QUERY_INVALID_CURSOR`. */
export function decodeCursor(text: string, request: string): SearchCursor {
  const cursor = Cursor.safeParse(parsed(text));
  if (cursor.success && cursor.data.request === request) return cursor.data;
  throw new SessionQueryError(
    'SESSION_QUERY_INVALID_CURSOR',
    'the cursor is not one of this search; start without one',
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
