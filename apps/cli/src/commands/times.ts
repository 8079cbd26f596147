import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { addRemindersCreate } from './reminders-create.ts';
import { addRemindersDelete } from './reminders-delete.ts';
import { addRemindersList } from './reminders-list.ts';
import { addSchedulesBackfill } from './schedules-backfill.ts';
import { addSchedulesCreate } from './schedules-create.ts';
import { addSchedulesDelete } from './schedules-delete.ts';
import { addSchedulesList } from './schedules-list.ts';
import { addSchedulesPause } from './schedules-pause.ts';
import { addSchedulesResume } from './schedules-resume.ts';
import { addSchedulesShow } from './schedules-show.ts';
import { addSchedulesTrigger } from './schedules-trigger.ts';

/** What is said at times: `schedules` by the deployment, `reminders` in a session. */
export function addTimes(program: Command, context: Context): void {
  const schedules = program.command('schedules').description('Prompts that are said at times');
  addSchedulesList(schedules, context);
  addSchedulesShow(schedules, context);
  addSchedulesCreate(schedules, context);
  addSchedulesPause(schedules, context);
  addSchedulesResume(schedules, context);
  addSchedulesTrigger(schedules, context);
  addSchedulesBackfill(schedules, context);
  addSchedulesDelete(schedules, context);

  const reminders = program.command('reminders').description('What a session is to be reminded of');
  addRemindersList(reminders, context);
  addRemindersCreate(reminders, context);
  addRemindersDelete(reminders, context);
}
