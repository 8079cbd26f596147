import { sql } from 'kysely';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { scripted } from './model-scripts.ts';
import type { Stack } from './stack.ts';

/**
 * So many sessions are on their way at once. More would be slower: a worker that is late for a workflow it has in its cache
 * is given it anew, with its whole history.
 */
const UNDER_WAY = 12;
/** Without a worker each answer waits for two seconds before it goes another way, which costs nobody anything. */
const WITHOUT_WORKER = 60;
const SLOW = { timeoutMs: 1_800_000, everyMs: 100 };

/** Makes one call that policy asks about, for each message. */
export const askEachTime = ({ messages }: RequestView): ScriptAnswer =>
  messages.at(-1)?.role === 'tool'
    ? { text: 'done' }
    : { toolCalls: [{ name: 'todo_write', arguments: { todos: [{ content: 'please-ask', status: 'pending' }] } }] };

/** Sessions that ask and are answered, many at once. */
export function manyApprovals(stack: Stack, model: string) {
  const options = scripted(stack, model, askEachTime);
  const count = async (statement: ReturnType<typeof sql<{ n: string }>>) =>
    Number((await statement.execute(stack.database)).rows[0]?.n);
  const events = (type: string) =>
    count(sql`select count(*) as n from session_events where tenant = ${stack.tenant} and type = ${type}`);
  const waiting = () =>
    count(sql`select count(*) as n from interactions where tenant = ${stack.tenant} and state = 'open'`);
  const answer = async (session: string): Promise<number> => {
    const path = `/v1/sessions/${session}`;
    const { body } = await stack.api.call<{ interactions: { id: string }[] }>('GET', `${path}/interactions?state=open`);
    const id = body.interactions[0]?.id ?? '';
    return (await stack.api.call('POST', `${path}/approvals/${id}`, { decision: 'allow' })).status;
  };

  return {
    events,
    create: (many: number) =>
      paced(Array.from({ length: many }), () => stack.api.create(options), { what: `${many} sessions` }),
    /** Has each ask, and waits until all of them do. */
    ask: async (sessions: readonly string[]): Promise<void> => {
      const before = await waiting();
      const over = async () => (await waiting()) - before;
      await paced(sessions, (session) => stack.api.prompt(session, 'go'), { what: 'all to ask', over });
    },
    /** Allows what each asks and waits until all turns have ended; answers the statuses there were. */
    async end(sessions: readonly string[]): Promise<number[]> {
      const before = await events('turn/end');
      const over = async () => (await events('turn/end')) - before;
      return [...new Set(await paced(sessions, answer, { what: 'all turns to end', over }))];
    },
    /** Allows what each asks while no worker is up, and does not wait for what comes of it. */
    answer: async (sessions: readonly string[]): Promise<number[]> => [
      ...new Set(await paced(sessions, answer, { what: 'all answers', atOnce: WITHOUT_WORKER })),
    ],
    ended: (turns: number) =>
      waitFor(async () => (await events('turn/end')) === turns, { what: `${turns} turns to end`, ...SLOW }),
  };
}

interface Pace {
  what: string;
  /** How many have come to what they were begun for; absent: as soon as they have run. */
  over?: () => Promise<number>;
  atOnce?: number;
}

/** Runs all, a few at a time; resolves when all are over. */
async function paced<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
  { what, over, atOnce = UNDER_WAY }: Pace,
): Promise<R[]> {
  const results: Promise<R>[] = [];
  let ran = 0;
  let failed = false;
  const done = over ?? (async () => ran);
  await waitFor(
    async () => {
      const finished = await done();
      while (results.length < items.length && results.length - finished < atOnce) {
        const running = run(items[results.length] as T);
        results.push(running);
        running.then(
          () => (ran += 1),
          () => (failed = true),
        );
      }
      return failed || finished >= items.length; // below, a failure is told
    },
    { what, ...SLOW },
  );
  return Promise.all(results);
}
