import { defineTool } from '../kit/index.ts';
import { SEQ, SESSION_ID } from '../kit/session-query/parameters.ts';

/** Tells how an event is tied to others. */
export const sessionEventTrace = defineTool({
  name: 'session_event_trace',
  toolset: 'session-query',
  description: [
    'Shows how one event is tied to others of its session: what replaced it in the conversation, what it replaced, which events it was made from and which were made from it.',
    'Use it to find what a summary stands for, or the call that a result belongs to.',
  ].join(' '),
  parameters: { type: 'object', properties: { session_id: SESSION_ID, seq: SEQ }, required: ['seq'] },
  home: 'model',
  effect: 'idempotent',
  readOnly: true,
  concurrency: () => 'parallel',
});
