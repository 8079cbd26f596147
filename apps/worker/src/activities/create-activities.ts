import type {
  AssembleActivities,
  BirthActivities,
  ChildActivities,
  CommandActivities,
  CompactionActivities,
  DiscoveryActivities,
  HostActivities,
  InterceptActivities,
  JobBodyActivities,
  JobControlActivities,
  JobRowActivities,
  LogActivities,
  MaintenanceActivities,
  ModelActivities,
  ProgramActivities,
  RalphActivities,
  ReleaseActivities,
  ScheduledRunActivities,
  SettleActivities,
  TeamActivities,
  TimeActivities,
  TitleActivities,
  ToolActivities,
  WebhookActivities,
} from '../contract/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { assembleActivity } from './assemble.ts';
import { assignHostActivity } from './assign-host.ts';
import { boundHostActivity } from './bound-host.ts';
import { childActivities } from './children/child-activities.ts';
import type { Courier } from './children/courier.ts';
import { commitLogActivity } from './commit-log.ts';
import { webhookActivities } from './deliver-webhook.ts';
import { beating } from './heartbeat.ts';
import { discoverModelsActivity } from './discover-models.ts';
import { interceptActivity } from './intercept.ts';
import { jobRowActivities } from './jobs/job-rows.ts';
import { killJobActivity } from './jobs/kill-job.ts';
import { runJobActivity } from './jobs/run-job.ts';
import { maintainActivity, type UpkeepJobs } from './maintain.ts';
import { openLogActivity } from './open-log.ts';
import { resolveTimeActivity } from './resolve-time.ts';
import { runPluginCommandActivity } from './run-plugin-command.ts';
import { runProgramActivity } from './run-program.ts';
import { ralphActivities } from './ralph/ralph-activities.ts';
import { recoverActivity } from './recover.ts';
import { releaseSessionActivity } from './release-session.ts';
import { runToolActivity } from './run-tool.ts';
import { scheduledRunActivities } from './schedules/fire-schedule.ts';
import type { SendPrompt } from './schedules/send-prompt.ts';
import { settleActivity } from './settle.ts';
import { planCompactionActivity } from './plan-compaction.ts';
import { summarizeActivity } from './summarize.ts';
import { teamActivities } from './team/team-activities.ts';
import { streamModelActivity } from './stream-model.ts';
import { titleActivities } from './title-session.ts';

/** Activities that need only Postgres, for the main queue. */
export type MainActivities = LogActivities &
  SettleActivities &
  BirthActivities &
  ChildActivities &
  HostActivities &
  JobRowActivities &
  MaintenanceActivities &
  ProgramActivities &
  RalphActivities &
  WebhookActivities &
  TeamActivities &
  TimeActivities &
  ScheduledRunActivities;

/** Makes the activities of the main queue. */
export function createMainActivities(
  deps: ActivityDeps,
  { upkeep, send, courier }: { upkeep: UpkeepJobs; send: SendPrompt; courier: Courier },
): MainActivities {
  return {
    ...beating({
      commitLog: commitLogActivity(deps),
      settle: settleActivity(deps),
      openLog: openLogActivity(deps),
      recover: recoverActivity(deps),
      assignHost: assignHostActivity(deps),
      boundHost: boundHostActivity(deps),
      ...childActivities(deps, courier),
      ...ralphActivities(deps),
      ...teamActivities(deps, courier),
      ...jobRowActivities(deps),
      ...webhookActivities(deps),
      resolveTime: resolveTimeActivity(),
      ...scheduledRunActivities({ database: deps.database, send, courier }),
    }),
    runProgram: runProgramActivity(deps),
    ...beating({ maintain: maintainActivity(upkeep) }),
  };
}

/** Makes the activities of the model queue: model calls, composition, listeners, tools without machine state. */
export function createModelActivities(
  deps: ActivityDeps,
): ModelActivities &
  CommandActivities &
  CompactionActivities &
  DiscoveryActivities &
  AssembleActivities &
  InterceptActivities &
  TitleActivities &
  ToolActivities {
  return {
    streamModel: streamModelActivity(deps),
    ...beating({ planCompaction: planCompactionActivity(deps) }),
    summarize: summarizeActivity(deps),
    discoverModels: discoverModelsActivity(deps),
    ...titleActivities(deps),
    assemble: assembleActivity(deps),
    runPluginCommand: runPluginCommandActivity(deps),
    intercept: interceptActivity(deps),
    runTool: runToolActivity(deps),
  };
}

/** Makes the activities of a host's queue: tools that act on this machine, and the listeners that see their results. */
export function createHostActivities(
  deps: ActivityDeps,
): ToolActivities & AssembleActivities & InterceptActivities & JobBodyActivities & ReleaseActivities {
  return {
    assemble: assembleActivity(deps),
    runTool: runToolActivity(deps),
    intercept: interceptActivity(deps),
    runJob: runJobActivity(deps),
    ...beating({ releaseSession: releaseSessionActivity(deps) }),
  };
}

/** Makes the activities of a host's control queue: what must get through however busy the host is. */
export function createControlActivities(deps: ActivityDeps): JobControlActivities {
  return { killJob: killJobActivity(deps) };
}
