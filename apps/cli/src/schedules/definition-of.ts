import { CliError } from '../platform/cli-error.ts';

/** What `schedules create` can be told about a schedule, as it was typed. */
export interface DefinitionOptions {
  cron?: string[];
  every?: string[];
  calendar?: string[];
  timeZone?: string;
  jitter?: string;
  start?: string;
  end?: string;
  session?: string;
  workspace?: string;
  provider?: string;
  model?: string;
  overlap?: string;
  catchUp?: string;
}

/** The definition as the API takes it; what is only wrong there the API says. Throws for what is no number or no JSON. */
export function definitionOf(prompt: string, options: DefinitionOptions): object {
  const { cron, every, calendar, timeZone, jitter, start, end, session, workspace, provider, model } = options;
  const chosen = { workspace, provider, model };
  const choosing = Object.entries(chosen).find(([, value]) => value !== undefined);
  if (session !== undefined && choosing)
    throw usage(`--${choosing[0]} is for new sessions`, 'leave out --session, or that');
  return {
    times: {
      cron,
      intervals: every?.map((value) => ({ everySeconds: seconds('--every', value) })),
      calendars: calendar?.map(json),
      timeZone,
      jitterSeconds: jitter === undefined ? undefined : seconds('--jitter', jitter),
      startAt: start,
      endAt: end,
    },
    prompt,
    session,
    create: choosing ? chosen : undefined,
    overlap: options.overlap,
    catchupWindowSeconds: options.catchUp === undefined ? undefined : seconds('--catch-up', options.catchUp),
  };
}

/** A whole number of seconds. */
export function seconds(option: string, value: string): number {
  if (/^\d{1,12}$/.test(value)) return Number(value);
  throw usage(`${option} ${value} is no number of seconds`, 'give a whole number, such as 3600');
}

function json(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw usage(`--calendar ${value} is no JSON`, `write for example --calendar '{"hour": 9}'`);
  }
}

const usage = (what: string, remedy: string): CliError => new CliError({ code: 'CLI_USAGE', what, remedy });
