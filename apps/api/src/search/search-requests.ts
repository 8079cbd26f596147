import { EVENT_SURFACES, SEARCH_LIMITS, SessionId } from '@everturn/core/domain';
import { z } from 'zod';
import { commaList, flag, instant, wholeNumber } from '../platform/schemas/query-values.ts';

const seq = wholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER });

const phrase = z
  .string()
  .min(1)
  .max(1_000)
  .describe('words that stand beside each other, as data: there are no operators');
const limit = wholeNumber({ min: 1, max: SEARCH_LIMITS.most }).optional().describe('most hits; default 20');
const eventFilters = {
  types: commaList.optional().describe('only these event types, separated by commas'),
  surfaces: commaList
    .pipe(z.array(z.enum(EVENT_SURFACES)))
    .optional()
    .describe('current, shadowed, log-only; any of these, separated by commas'),
  after: instant.optional().describe('only events of this moment or later'),
  before: instant.optional().describe('only events of this moment or earlier'),
};

/** A search for events. */
export const SearchEventsQuery = z.strictObject({
  q: phrase,
  session: SessionId.optional().describe('only events of this session'),
  fromSeq: seq.optional(),
  toSeq: seq.optional(),
  ...eventFilters,
  limit,
  cursor: z.string().max(2_000).optional().describe('`next` of the page before'),
});
export type SearchEventsQuery = z.output<typeof SearchEventsQuery>;

/** A search for sessions. */
export const SearchSessionsQuery = z.strictObject({
  q: phrase,
  workspace: z.string().min(1).max(4_096).optional().describe('only sessions that work in exactly this folder'),
  parent: SessionId.optional().describe('only children of this session'),
  roots: flag.optional().describe('true: only sessions without a parent'),
  createdAfter: instant.optional(),
  createdBefore: instant.optional(),
  live: flag.optional().describe('true: only sessions that are neither closed nor broken'),
  ...eventFilters,
  limit,
});
export type SearchSessionsQuery = z.output<typeof SearchSessionsQuery>;

/** One event that holds the phrase. */
export const Hit = z.strictObject({
  session: SessionId,
  seq: z.int(),
  type: z.string(),
  time: z.int(),
  surface: z.enum(EVENT_SURFACES),
  spans: z.int().describe('how often the phrase stands in it'),
  snippet: z.string(),
});

/** One session with its best hit. */
export const SessionHit = z.strictObject({
  session: SessionId,
  title: z.string(),
  createdAt: z.int(),
  parent: SessionId.optional(),
  live: z.boolean(),
  best: Hit,
});
