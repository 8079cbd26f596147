import { assertNever, nextWork, type NextRound, type ReminderDelivery, type Work } from '@everturn/core/domain';
import { nextGoalRound, runGoalRound } from './goal-rounds.ts';
import { runCompaction } from './run-compaction.ts';
import { runInjection } from './run-injection.ts';
import { runTurn } from './run-turn.ts';
import { writeFacts } from './session-facts.ts';
import { writePermissions } from './session-permissions.ts';
import { writeRecord } from './session-records.ts';
import { deliverReminders, dueReminders } from './session-reminders.ts';
import type { SessionState } from './session-state.ts';
import { writeTitles } from './session-title.ts';

/** What a session that runs no turn does next, if anything. */
export function nextTask(session: SessionState): (() => Promise<void>) | undefined {
  const work = nextWork({
    permissions: session.permissionUpdates.length,
    titles: session.renames.length,
    compaction: session.compaction !== undefined,
    records: session.records.length,
    facts: session.facts.length,
    injected: session.injected.length,
    queued: session.queue.queued.length,
    parked: session.parked,
    reminders: () => dueReminders(session),
    round: () => nextGoalRound(session),
  });
  return work && (() => perform(session, work));
}

function perform(session: SessionState, work: Work<ReminderDelivery, NextRound>): Promise<void> {
  switch (work.kind) {
    case 'permissions':
      return writePermissions(session);
    case 'titles':
      return writeTitles(session);
    case 'compaction':
      return runCompaction(session);
    case 'record':
      return writeRecord(session);
    case 'facts':
      return writeFacts(session);
    case 'injection':
      return runInjection(session);
    case 'message':
      return runTurn(session);
    case 'reminders':
      return deliverReminders(session, work.due);
    case 'round':
      return runGoalRound(session, work.round);
    default:
      return assertNever(work);
  }
}
