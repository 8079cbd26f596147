import type { SessionEvent } from '@everturn/core/domain';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import type { Database } from '@everturn/core/postgres';
import { holdWrites } from './hold-writes.ts';
import type { Stack } from './stack.ts';

/** Something in words. */
export const words = (value: unknown) => JSON.stringify(value ?? '');

type Calls = NonNullable<ScriptAnswer['toolCalls']>;

/** A request of somebody of a team: how many steps they have done, and what they have read. */
export interface Asked {
  /** Their name; the lead's is `lead`. */
  who: string;
  /** Answers they gave before in all turns. */
  done: number;
  last: string;
  all: string;
  tools: string[];
}

/** What somebody of a team is asked. */
function askedOf({ messages, tools }: RequestView): Asked {
  // A member with the lead's history is told who it is after it.
  const told = words(messages.filter(({ role }) => role === 'user').map(({ content }) => content));
  return {
    who: /You are \\"([a-z0-9-]+)\\", a member/.exec(told)?.[1] ?? 'lead',
    done: messages.filter(({ role }) => role === 'assistant').length,
    last: words(messages.at(-1)?.content),
    all: words(messages),
    tools,
  };
}

/** A session that leads a team, all of whom one script plays. */
export async function leadTeam(stack: Stack, name: string, play: (asked: Asked) => ScriptAnswer): Promise<string> {
  stack.model.script(name, (request) => play(askedOf(request)));
  return stack.api.create({ provider: 'scripted', model: name, workspace: stack.workspace, toolsets: ['team'] });
}

/** Calls of the team's tools. */
export const callOf = (name: string, args: Exclude<Calls[number]['arguments'], string> = {}): Calls[number] => ({
  name,
  arguments: args,
});

/** A call that makes a member. */
export const spawn = (name: string, prompt: string, context?: 'fork') =>
  callOf('spawn_teammate', { name, description: `is ${name}`, prompt, ...(context && { context }) });

/** What the calls of a log brought, by name of the tool, in order. */
export function results(events: readonly SessionEvent[], tool: string): string[] {
  const names = new Map(
    events.flatMap((event) => (event.type === 'tool/call' ? [[event.data.callId, event.data.name] as const] : [])),
  );
  return events.flatMap((event) =>
    event.type === 'tool/result' && names.get(event.data.callId) === tool
      ? [event.data.content.map((block) => (block.type === 'text' ? block.text : '')).join('')]
      : [],
  );
}

/** The sessions of the members a log tells of, by name, as they stand. */
export function membersIn(events: readonly SessionEvent[]): Record<string, { id: string; phase: string }> {
  const known: Record<string, { id: string; phase: string }> = {};
  for (const event of events)
    if (event.type === 'team/member')
      known[event.data.member.name] = { id: event.data.member.id, phase: event.data.member.phase };
  return known;
}

/** What others of the team have told somebody, in order. */
export const mailIn = (events: readonly SessionEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type !== 'user/message' && event.type !== 'steering/message') return [];
    const { source, content } = event.data;
    if (source.kind !== 'team-message') return [];
    const said = content.map((block) => (block.type === 'text' ? block.text : '')).at(-1);
    return [`${source.senderName}: ${said}`];
  });

/** Keeps sessions below one from being born as long as something runs. */
export const holdBirths = (database: Database, lead: string, run: () => Promise<void>): Promise<void> =>
  holdWrites(database, { table: 'sessions', where: `new.parent_id = '${lead}'` }, run);

/** How many events of a type there are. */
export const countOf = (events: readonly SessionEvent[], type: string): number =>
  events.filter((event) => event.type === type).length;

/** A lead that does what it is told: `make <name>`, `tell <name> <words>`, `look`, and nothing else. */
export const obedient = (last: string): ScriptAnswer => {
  const told = /(make|tell|look|task) ?([a-z]*) ?([a-z0-9 ]*)/.exec(last.replaceAll(/.*DO /g, ''));
  if (!last.includes('DO ') || !told) return { text: 'noted' };
  const [, what, name = '', rest = ''] = told;
  if (what === 'make') return { toolCalls: [spawn(name, `work ${rest}`, rest === 'fork' ? 'fork' : undefined)] };
  if (what === 'tell') return { toolCalls: [callOf('send_message', { target: name, message: rest })] };
  if (what === 'task') return { toolCalls: [callOf('team_task_create', { subject: name, description: 'd' })] };
  return { toolCalls: [callOf('team_task_list'), callOf('list_agents')] };
};

/** Has an obedient lead do something, and answers its log once it has. */
export async function tellLead(stack: Stack, session: string, order: string): Promise<SessionEvent[]> {
  await stack.api.prompt(session, `DO ${order}`);
  return stack.api.until(session, `${order} to be done`, (log) => {
    const said = log.findIndex(
      (event) => event.type === 'user/message' && words(event.data.content).includes(`DO ${order}`),
    );
    return said !== -1 && log.slice(said).some(({ type }) => type === 'turn/end') && log;
  });
}
