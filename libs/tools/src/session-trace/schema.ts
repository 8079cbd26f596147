import { defineTool } from '../kit/index.ts';
import { SESSION_ID } from '../kit/session-query/parameters.ts';

/** Tells where a session comes from and what it started. */
export const sessionTrace = defineTool({
  name: 'session_trace',
  toolset: 'session-query',
  description: [
    'Shows where a session comes from and which sessions it started: its ancestors, nearest first, and its descendants, each below the one that started it.',
    'Sessions that work in another folder are marked and not named.',
  ].join(' '),
  parameters: { type: 'object', properties: { session_id: SESSION_ID } },
  home: 'model',
  effect: 'idempotent',
  readOnly: true,
  concurrency: () => 'parallel',
});
