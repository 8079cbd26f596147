import { z } from 'zod';
import { registerEvent } from '../event-registry.ts';
import { Instant, Reminder, ReminderId } from './reminder.ts';

/** What happened to a reminder; `acceptedAt` says when a recurring one was delivered, which decides its next slot. */
export type ReminderChange =
  | { version: 1; operation: 'create'; schedule: Reminder }
  | { version: 1; operation: 'delete'; id: ReminderId }
  | { version: 1; operation: 'dispatch'; id: ReminderId; acceptedAt?: string };

declare module '../events.ts' {
  interface SessionEventMap {
    'schedule/change': ReminderChange;
  }
}

const version = z.literal(1);

registerEvent('schedule/change', {
  schema: z.discriminatedUnion('operation', [
    z.strictObject({ version, operation: z.literal('create'), schedule: Reminder }),
    z.strictObject({ version, operation: z.literal('delete'), id: ReminderId }),
    z.strictObject({
      version,
      operation: z.literal('dispatch'),
      id: ReminderId,
      acceptedAt: Instant.exactOptional(),
    }),
  ]),
  outOfBand: true,
});
