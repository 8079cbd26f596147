import { z } from 'zod';
import { commaList, flag, wholeNumber } from '../platform/schemas/query-values.ts';

const types = commaList.optional().describe('only these event types, separated by commas');

/** Which events of one session. */
export const EventsQuery = z.strictObject({
  after: wholeNumber({ min: -1, max: Number.MAX_SAFE_INTEGER })
    .optional()
    .describe('only events after this seq; a stream may send Last-Event-ID instead'),
  limit: wholeNumber({ min: 1, max: 1_000 }).optional().describe('most events of a JSON page; default 200'),
  types,
  chunks: flag.optional().describe('false leaves out assistant/chunk'),
});
export type EventsQuery = z.output<typeof EventsQuery>;

/** Which events of all sessions. */
export const FeedQuery = z.strictObject({
  from: z.enum(['now', 'start']).optional().describe('where a stream without Last-Event-ID begins; default now'),
  types,
});
export type FeedQuery = z.output<typeof FeedQuery>;
