import { defineTool } from '../kit/index.ts';
import { EVENT_TYPES, QUERY, seqBound, SESSION_ID, SURFACES, time } from '../kit/session-query/parameters.ts';

/** Finds events of one session. */
export const sessionEventSearch = defineTool({
  name: 'session_event_search',
  toolset: 'session-query',
  description: [
    'Searches the whole log of one session, also what a summary has hidden from its conversation.',
    'Use it to get back to what was said or done earlier in this session, or in one that session_search found. Events where the words stand most often come first, then the shortest.',
    'Of this session only what is before the current step is searched. At most 100 events are listed; narrow the query when there are more. Read one with session_event_read.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      session_id: SESSION_ID,
      query: QUERY,
      seq_from: seqBound('Only events with this number or a higher one'),
      seq_to: seqBound('Only events with this number or a lower one'),
      time_from: time('Only events of then or later'),
      time_to: time('Only events of then or earlier'),
      event_types: EVENT_TYPES,
      surfaces: SURFACES,
    },
    required: ['query'],
  },
  home: 'model',
  effect: 'idempotent',
  readOnly: true,
  timeoutMs: 30_000,
});
