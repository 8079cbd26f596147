import type { SessionEvent } from '@everturn/core/domain';
import { Option, type Command } from 'commander';
import type { ApiClient } from '../platform/api-client.ts';
import { Event, EventPage, sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { followEvents } from '../platform/follow-events.ts';
import { eventLine } from '../view/event-line.ts';

interface EventsOptions {
  follow?: true;
  chunks: boolean;
  types?: string;
  after?: string;
  json?: true;
}

/** `events <session>`: its log, and with --follow what is appended to it. */
export function addEvents(program: Command, context: Context): void {
  program
    .command('events')
    .argument('<session>')
    .description("Print a session's events, one a line")
    .option('-f, --follow', 'go on with what is appended, until Ctrl-C')
    .option('--no-chunks', 'leave out assistant/chunk')
    .option('--types <list>', 'only these types, separated by commas')
    .addOption(new Option('--after <seq>', 'only events after this number'))
    .option('--json', 'print each event as one line of JSON')
    .action(async (session: string, options: EventsOptions) => {
      const print = (event: SessionEvent) =>
        options.json ? context.printJson(event) : context.print(eventLine(event, context.style));
      const events = options.follow
        ? following(context.api(), session, options)
        : pages(context.api(), session, options);
      for await (const event of events) print(event);
    });
}

const filters = ({ chunks, types }: EventsOptions) => ({ types, ...(!chunks && { chunks: 'false' }) });

async function* pages(
  api: ApiClient,
  session: string,
  options: EventsOptions,
): AsyncGenerator<SessionEvent, void, void> {
  let after = options.after;
  for (;;) {
    const query = { after, limit: '1000', ...filters(options) };
    const { events, next } = await api.json({ path: sessionPath(session, 'events'), query }, EventPage);
    yield* events;
    if (next === null) return;
    after = String(next);
  }
}

async function* following(
  api: ApiClient,
  session: string,
  options: EventsOptions,
): AsyncGenerator<SessionEvent, void, void> {
  const query = { after: options.after, ...filters(options) };
  for await (const followed of followEvents({ api, path: sessionPath(session, 'events'), query })) {
    // Frames without an id say how things stand; they are no events.
    if (followed.kind === 'frame' && followed.frame.id !== undefined)
      yield Event.parse(JSON.parse(followed.frame.data));
  }
}
