import { defineTool } from '../kit/index.ts';
import { SEQ, SESSION_ID } from '../kit/session-query/parameters.ts';

/** Reads an event with its neighbours. */
export const sessionEventRead = defineTool({
  name: 'session_event_read',
  toolset: 'session-query',
  description: [
    'Reads one event of a session in full, and on request what stands just before and after it in the log.',
    'Use it on the numbers that session_event_search and session_event_trace give.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      session_id: SESSION_ID,
      seq: SEQ,
      before: { type: 'integer', description: 'How many events before it to list, from 0 to 50; default 0.' },
      after: { type: 'integer', description: 'How many events after it to list, from 0 to 50; default 0.' },
    },
    required: ['seq'],
  },
  home: 'model',
  effect: 'idempotent',
  readOnly: true,
  concurrency: () => 'parallel',
});
