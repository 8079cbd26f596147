import { sql } from 'kysely';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { inTurn } from './in-turn.ts';
import { scripted } from './model-scripts.ts';
import type { Stack } from './stack.ts';

const SLOW = { timeoutMs: 600_000, everyMs: 500 };

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

  return {
    events,
    create: (many: number) => inTurn(Array.from({ length: many }), () => stack.api.create(options)),
    /** Has each ask, and waits until all of them do. */
    async ask(sessions: readonly string[]): Promise<void> {
      await inTurn(sessions, (session) => stack.api.prompt(session, 'go'));
      await waitFor(async () => (await waiting()) === sessions.length, { what: 'all to ask', ...SLOW });
    },
    /** Allows what each asks; answers the statuses there were. */
    async answer(sessions: readonly string[]): Promise<number[]> {
      const statuses = await inTurn(sessions, async (session) => {
        const path = `/v1/sessions/${session}`;
        const { body } = await stack.api.call<{ interactions: { id: string }[] }>(
          'GET',
          `${path}/interactions?state=open`,
        );
        const decision = { decision: 'allow' };
        return (await stack.api.call('POST', `${path}/approvals/${body.interactions[0]?.id ?? ''}`, decision)).status;
      });
      return [...new Set(statuses)];
    },
    ended: (turns: number) =>
      waitFor(async () => (await events('turn/end')) === turns, { what: `${turns} turns to end`, ...SLOW }),
  };
}
