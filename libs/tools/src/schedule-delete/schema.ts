import { defineTool } from '../kit/index.ts';

/** Deletes a reminder. */
export const scheduleDelete = defineTool({
  name: 'schedule_delete',
  description:
    'Deletes an active reminder of this session, so that it does not come any more. Answers {id, deleted} as JSON; with a `code` when no such reminder is active, which is also so for one that was delivered once and for all.',
  parameters: {
    type: 'object',
    properties: { id: { type: 'string', description: 'The reminder, such as `schedule-1`.' } },
    required: ['id'],
  },
  home: 'workflow',
  effect: 'idempotent',
  audience: 'own-sessions',
});
