import { defineTool } from '../kit/index.ts';
import { EVENT_TYPES, QUERY, seqBound, SURFACES, time } from '../kit/session-query/parameters.ts';

/** Finds earlier sessions by what was said and done in them. */
export const sessionSearch = defineTool({
  name: 'session_search',
  toolset: 'session-query',
  description: [
    'Searches what was said and done in other sessions that work in the same folder, this one left out.',
    'Use it to find earlier work on a subject before you begin anew. Each session is listed once, with the event that fits best: where the words stand most often, then the shortest.',
    'At most 100 sessions are listed; narrow the query when there are more. Read on with session_event_search and session_event_read.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      query: QUERY,
      session_ids: {
        type: 'array',
        items: { type: 'string' },
        description: 'Only these sessions; left out: all. Not empty.',
      },
      created_at_from: time('Only sessions created then or later'),
      created_at_to: time('Only sessions created then or earlier'),
      parent_session_ids: {
        type: 'array',
        items: { type: 'string' },
        description: 'Only sessions that these started; left out: any. Not empty.',
      },
      include_root_sessions: {
        type: 'boolean',
        description:
          'With `parent_session_ids`: also sessions that no session started. Alone and true: only those. Default false.',
      },
      availability: {
        type: 'array',
        items: { type: 'string', enum: ['live', 'persisted'] },
        description:
          '`live`: sessions that could take a message now; `persisted`: all that are stored, which every session is. Left out: all. Not empty.',
      },
      event_seq_from: seqBound('Only events with this number or a higher one'),
      event_seq_to: seqBound('Only events with this number or a lower one'),
      event_time_from: time('Only events of then or later'),
      event_time_to: time('Only events of then or earlier'),
      event_types: EVENT_TYPES,
      event_surfaces: SURFACES,
    },
    required: ['query'],
  },
  home: 'model',
  effect: 'idempotent',
  readOnly: true,
  timeoutMs: 30_000,
});
