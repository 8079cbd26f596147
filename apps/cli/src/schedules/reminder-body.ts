import { CliError } from '../platform/cli-error.ts';
import { seconds } from './definition-of.ts';

/** When a reminder is due, as it was typed. */
export interface ReminderOptions {
  after?: string;
  every?: string;
  at?: string;
  timeZone?: string;
}

/** A reminder as the API takes it. Throws where not exactly one option says when. */
export function reminderBody(prompt: string, { after, every, at, timeZone }: ReminderOptions): object {
  if ([after, every, at].filter((given) => given !== undefined).length !== 1)
    throw usage('when it is due is not clear', 'say exactly one of --after, --every, --at');
  if (timeZone !== undefined && at === undefined)
    throw usage('--time-zone says where --at is read', 'give --at, or leave it out');
  return {
    prompt,
    afterSeconds: after === undefined ? undefined : seconds('--after', after),
    everySeconds: every === undefined ? undefined : seconds('--every', every),
    at: at === undefined || timeZone === undefined ? at : local(at, timeZone),
  };
}

function local(at: string, timeZone: string): object {
  const [date = '', time = ''] = at.split(/[T ]/);
  return { date, time, timeZone };
}

const usage = (what: string, remedy: string): CliError => new CliError({ code: 'CLI_USAGE', what, remedy });
