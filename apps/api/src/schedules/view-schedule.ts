import type { ScheduledRunInput, ScheduleId } from '@everturn/core/protocol';
import type { ScheduleDescription } from '@temporalio/client';
import type { ScheduleView } from './schedule-requests.ts';

/** A schedule as clients see it. Our definition travels in its action, for Temporal's own words say less. */
export function viewSchedule(id: ScheduleId, { action, state, info }: ScheduleDescription): ScheduleView {
  // Only `/v1/schedules` writes the actions of schedules with our ids, always with this one argument.
  const [input] = action.args as unknown as [ScheduledRunInput];
  return {
    id,
    definition: input.definition,
    paused: state.paused,
    ...(state.note !== undefined && { note: state.note }),
    firings: info.numActionsTaken,
    skipped: info.numActionsSkippedOverlap,
    running: info.runningActions.map(({ workflow }) => workflow.workflowId),
    recent: info.recentActions.map(({ scheduledAt, takenAt, action: { workflow } }) => ({
      scheduledAt: scheduledAt.toISOString(),
      startedAt: takenAt.toISOString(),
      workflowId: workflow.workflowId,
    })),
    next: info.nextActionTimes.slice(0, 10).map((at) => at.toISOString()),
  };
}
