import type { LocalTime, ReminderError } from '@everturn/core/domain';

export interface TimeActivities {
  /** The instant in epoch ms at which clocks somewhere show a time; workers may know different zones. */
  resolveTime(local: LocalTime): Promise<{ at: number | ReminderError }>;
}
