import { defineTool } from '../kit/index.ts';

/** Tells which reminders are active. */
export const scheduleList = defineTool({
  name: 'schedule_list',
  description:
    'Lists the active reminders of this session as JSON, in the order they were set, each with its next time and whether that is past (`overdue`: it is delivered as soon as nothing else runs). What was delivered once and for all, or deleted, is not listed.',
  parameters: { type: 'object', properties: {} },
  home: 'workflow',
  effect: 'idempotent',
  audience: 'own-sessions',
});
