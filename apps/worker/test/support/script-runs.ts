import type { SessionEvent } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import type { Stack } from './stack.ts';

/** A call of `workflow`. */
export const scriptCall = (script: string, names: string[] = []) => ({
  name: 'workflow',
  arguments: { script, meta: { name: 'sweep', description: 'Looks everywhere.' }, args: { names } },
});

/** What a log says of scripts, one short line an event. */
export const scriptLines = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => {
    switch (event.type) {
      case 'tool-workflow/run-start':
        return [`run ${event.data.name}`];
      case 'tool-workflow/agent-start':
        return [
          `+${event.data.seq} ${event.data.label}${event.data.phase === undefined ? '' : ` (${event.data.phase})`}`,
        ];
      case 'tool-workflow/agent-end':
        return [`-${event.data.seq} ${event.data.outcome}`];
      case 'tool-workflow/run-end':
        return [`end ${event.data.stopReason}`];
      default:
        return [];
    }
  });

/** The sessions a script's agents were, in the order they were started. */
export const agentsOf = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-workflow/agent-start' ? [event.data.childId] : []));

/** How many agents worked at the same time at most. */
export function mostAtATime(events: readonly SessionEvent[]): number {
  let now = 0;
  return events.reduce((most, { type }) => {
    if (type === 'tool-workflow/agent-start') now += 1;
    if (type === 'tool-workflow/agent-end') now -= 1;
    return Math.max(most, now);
  }, 0);
}

/** Waits until so many agents of a session's scripts have ended. */
export const agentsEnded = (stack: Stack, session: string, count: number) =>
  stack.api.until(session, `${count} agents to end`, (events) =>
    events.filter(({ type }) => type === 'tool-workflow/agent-end').length >= count ? events : undefined,
  );

/** The status of a session as clients see it. */
export const statusOf = async (stack: Stack, session: string) =>
  String((await stack.api.call('GET', `/v1/sessions/${session}`)).body['status']);

/** Waits until a session has closed. */
export const closed = (stack: Stack, session: string) =>
  waitFor(async () => (await statusOf(stack, session)) === 'closed', { what: `${session} to close` });
