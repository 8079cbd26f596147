import { condition } from '@temporalio/workflow';
import { applyTeamFact, type TeamFact } from '@everturn/core/domain';
import type { SessionReply } from '@everturn/core/protocol';
import { loadTeam } from '../../proxies.ts';
import { answerStep } from '../answer-step.ts';
import { errand } from '../session-errands.ts';
import { writeSoon } from '../session-facts.ts';
import { sessionRef, type SessionState } from '../session-state.ts';
import { openDesk, type TeamDesk } from './open-desk.ts';

/** How many questions a session remembers to have taken. */
const REMEMBERED = 200;

/** The desk of a session, which opens when something is asked there. */
export function teamDesk(session: SessionState): TeamDesk {
  session.team ??= openDesk(session, { waiters: [], asked: [], handed: [] });
  return session.team;
}

/** Remembers a question; `false`: it was taken before. */
export function remember(desk: TeamDesk, id: string): boolean {
  if (desk.asked.includes(id)) return false;
  desk.asked.push(id);
  if (desk.asked.length > REMEMBERED) desk.asked.shift();
  return true;
}

/** Has something done for the team; a session that closes waits for it. */
export function teamErrand(session: SessionState, run: (desk: TeamDesk) => Promise<void>): void {
  const desk = teamDesk(session);
  desk.errands += 1;
  errand(session, async () => {
    try {
      await ready(session, desk);
      await run(desk);
    } finally {
      desk.errands -= 1;
    }
  });
}

/** Waits until the team is known. */
async function ready(session: SessionState, desk: TeamDesk): Promise<void> {
  await condition(() => session.opened);
  if (desk.state === 'closed') {
    desk.state = 'loading';
    await load(session, desk);
    desk.state = 'open';
  }
  if (desk.state === 'loading') await condition(() => desk.state === 'open');
}

async function load(session: SessionState, desk: TeamDesk): Promise<void> {
  let from: number | undefined = 0;
  while (from !== undefined) {
    const page: Awaited<ReturnType<typeof loadTeam>> = await loadTeam({ ...sessionRef(session), from });
    desk.team = { ...page.team, tasks: [...desk.team.tasks, ...page.team.tasks] };
    desk.atWork = new Set(page.running);
    from = page.next;
  }
}

/** Changes the team at once; resolves when the log has it. Whoever waits for something to happen is told. */
export function write(session: SessionState, desk: TeamDesk, facts: readonly TeamFact[]): Promise<void> {
  if (facts.length === 0) return Promise.resolve();
  desk.team = facts.reduce(applyTeamFact, desk.team);
  return new Promise((resolve) => {
    writeSoon(session, {
      plugin: 'team',
      events: facts,
      written: () => {
        tellWaiters(session, desk, { kind: 'team', value: { timedOut: false } });
        resolve();
      },
    });
  });
}

/** Answers everybody who waits. */
export function tellWaiters(session: SessionState, desk: TeamDesk, reply: SessionReply['reply']): void {
  for (const { id, replyTo } of desk.waiters.splice(0)) answerStep(session, replyTo, { id, reply });
}
