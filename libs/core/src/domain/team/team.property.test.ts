import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateEventData } from '../event-registry.ts';
import { changeTask, createTask, TASK_ACTIONS, taskFact } from './change-task.ts';
import { deliveredFacts, pendingFor, queuedFact, queueMail } from './mailbox.ts';
import { memberFact, provisioned, spawnMember } from './roster.ts';
import { isReady } from './task-checks.ts';
import { isTeamError } from './team-error.ts';
import type { TeamFact } from './team-events.ts';
import { applyTeamFact, foldTeam, newTeam, type Team } from './team.ts';
import { sid } from './test-team.ts';

const LIMITS = { maxMembers: 3, maxTasks: 5, maxPendingMessagesPerMember: 2, maxMessageBytes: 1_000 };
const names = ['lead', 'a', 'b', 'c', 'd'];
const name = fc.constantFrom(...names);
const taskId = fc.integer({ min: 1, max: 6 }).map((n) => `task-${n}`);
const wish = fc.record({
  what: fc.constantFrom('spawn', 'active', 'failed', 'send', 'read', 'create', ...TASK_ACTIONS),
  by: name,
  name,
  id: taskId,
  blockedBy: fc.array(taskId, { maxLength: 2 }),
  /** How far the revision is from the one that counts. */
  off: fc.constantFrom(0, 0, 0, 1),
});
type Wish = typeof wish extends fc.Arbitrary<infer W> ? W : never;

/** What a wish writes into the log; nothing where it is refused. */
function factsOf(team: Team, { what, by, name: who, id, blockedBy, off }: Wish, n: number): TeamFact[] {
  const session = (called: string) => sid(called === 'lead' ? 'lead-session' : `sub-${called}`);
  const caller = session(by);
  const unless = <T extends object>(made: T | undefined, fact: (made: Exclude<T, { code: unknown }>) => TeamFact) =>
    made === undefined || isTeamError(made) ? [] : [fact(made as Exclude<T, { code: unknown }>)];
  switch (what) {
    case 'spawn':
      return unless(
        spawnMember(
          team,
          { caller, id: session(who), name: who, description: 'd', prompt: 'p', context: 'fork', provider: 'fork' },
          LIMITS,
        ),
        (made) => memberFact(team, made),
      );
    case 'active':
      return unless(provisioned(team, session(who), { phase: 'active' }), (made) => memberFact(team, made));
    case 'failed':
      return unless(provisioned(team, session(who), { phase: 'failed', error: 'e' }), (made) => memberFact(team, made));
    case 'send':
      return unless(queueMail(team, { caller, id: `team-message-${n}`, target: who, content: 'm' }, LIMITS), (mail) =>
        queuedFact(team, mail),
      );
    case 'read':
      return deliveredFacts(team, session(who), [`team-message-${n - 1}`, `team-message-${n - 2}`]);
    case 'create':
      return unless(createTask(team, caller, { subject: 's', description: 'd', blockedBy }, LIMITS), (made) =>
        taskFact(team, made),
      );
    default: {
      const known = team.tasks.find((task) => task.id === id);
      const change = {
        taskId: id,
        expectedRevision: (known?.revision ?? 1) + off,
        action: what as never,
        subject: 't',
      };
      return unless(changeTask(team, caller, { ...change, owner: who, blockedBy }), (made) => taskFact(team, made));
    }
  }
}

test('whatever is wished for, the log makes the same team, and the team keeps its rules', () => {
  fc.assert(
    fc.property(fc.array(wish, { maxLength: 60 }), (wishes) => {
      let team = newTeam(sid('lead-session'));
      const log: TeamFact[] = [];
      for (const [n, each] of wishes.entries()) {
        const before = team;
        const facts = factsOf(team, each, n);
        for (const { type, data } of facts) validateEventData(type, data);
        log.push(...facts);
        team = facts.reduce(applyTeamFact, team);
        keepsItsRules(before, team);
      }
      expect(foldTeam(team.id, log)).toEqual(team);
    }),
    { numRuns: 300 },
  );
});

function keepsItsRules(before: Team, { members, tasks, ...team }: Team): void {
  const now: Team = { ...team, members, tasks };
  expect(new Set(members.map((each) => each.name)).size).toBe(members.length);
  expect(members.length).toBeLessThanOrEqual(LIMITS.maxMembers);
  expect(tasks.filter(({ status }) => status !== 'deleted').length).toBeLessThanOrEqual(LIMITS.maxTasks);
  for (const { id } of members)
    expect(pendingFor(now, id).length).toBeLessThanOrEqual(LIMITS.maxPendingMessagesPerMember);
  for (const [index, task] of tasks.entries()) {
    expect(task.id).toBe(`task-${index + 1}`);
    if (task.status === 'in_progress') expect(task.ownerId).toBeDefined();
    if (task.status === 'pending') expect(task.ownerId).toBeUndefined();
    const was = before.tasks[index];
    if (was && was !== task) expect(task.revision).toBe(was.revision + 1);
    // What is begun could be begun.
    if (task.status === 'in_progress' && was?.status === 'pending') expect(isReady(before, was)).toBe(true);
    expect(reaches(now, task.id, task.id)).toBe(false);
  }
}

/** Whether a task waits, by way of others, for another. */
function reaches({ tasks }: Team, from: string, to: string, seen = new Set<string>()): boolean {
  const blockers = tasks.find(({ id }) => id === from)?.blockedBy ?? [];
  return blockers.some((id) => id === to || (!seen.has(id) && reaches({ tasks } as Team, id, to, seen.add(id))));
}
