import { setCurrentDetails } from '@temporalio/workflow';
import type { ReminderInput } from '@everturn/core/protocol';
import { literal } from '../shared/inert-markdown.ts';

/** Shows operators what is waited for, and how to end it. */
export function describeReminder({ session, id, everyMs, preview }: ReminderInput, dueAt: number): void {
  setCurrentDetails(
    [
      `**${id}** is due ${new Date(dueAt).toISOString()}`,
      '',
      `- reminds of: ${literal(preview)}`,
      `- ${everyMs === undefined ? 'once' : `again every ${everyMs / 1000} seconds`}`,
      '',
      `End it with \`DELETE /v1/sessions/${session}/reminders/${id}\`.`,
    ].join('\n'),
  );
}
