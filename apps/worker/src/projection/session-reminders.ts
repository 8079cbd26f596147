import { foldReminders, type ReminderError, type Reminders } from '@everturn/core/domain';
import { readReminderChanges, readSession } from '@everturn/core/postgres';
import type { SessionRef } from '../contract/index.ts';
import type { Projection } from './projection.ts';

/** The reminders a log leaves behind; `undefined` where it never had any. */
export async function sessionReminders(
  { database }: Projection,
  ref: Pick<SessionRef, 'tenant' | 'session'>,
): Promise<Reminders | ReminderError | undefined> {
  const row = await readSession(database, ref);
  const seedLength = row?.header.seedLength;
  const changes = await readReminderChanges(database, { ...ref, seedLength });
  return changes.length === 0 ? undefined : foldReminders(changes);
}
