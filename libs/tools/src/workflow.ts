import { orchestrateAskUserQuestion } from './ask-user-question/orchestrate.ts';
import { toolKey } from './catalog.ts';
import { orchestrateCreateGoal } from './create-goal/orchestrate.ts';
import { orchestrateExitPlanMode } from './exit-plan-mode/orchestrate.ts';
import { orchestrateGetGoal } from './get-goal/orchestrate.ts';
import { orchestrateContinuableSubagent } from './subagents-subagent/orchestrate.ts';
import { orchestrateContinuableSubagentFork } from './subagents-subagent-fork/orchestrate.ts';
import { orchestrateInterruptAgent } from './interrupt-agent/orchestrate.ts';
import type { Orchestration } from './kit/index.ts';
import { orchestrateJobKill } from './job-kill/orchestrate.ts';
import { orchestrateJobList } from './job-list/orchestrate.ts';
import { orchestrateJobOutput } from './job-output/orchestrate.ts';
import { orchestrateListAgents } from './list-agents/orchestrate.ts';
import { orchestrateRalph } from './ralph/orchestrate.ts';
import { orchestrateRunCode } from './run-code/orchestrate.ts';
import { orchestrateSendMessage } from './send-message/orchestrate.ts';
import { orchestrateSubagent } from './subagent/orchestrate.ts';
import { orchestrateScheduleCreate } from './schedule-create/orchestrate.ts';
import { orchestrateScheduleDelete } from './schedule-delete/orchestrate.ts';
import { orchestrateScheduleList } from './schedule-list/orchestrate.ts';
import { orchestrateUpdateGoal } from './update-goal/orchestrate.ts';
import { orchestrateSubagentFork } from './subagent-fork/orchestrate.ts';
import { orchestrateSpawnTeammate } from './spawn-teammate/orchestrate.ts';
import { orchestrateTeamInterruptAgent } from './team-interrupt-agent/orchestrate.ts';
import { orchestrateTeamListAgents } from './team-list-agents/orchestrate.ts';
import { orchestrateTeamSendMessage } from './team-send-message/orchestrate.ts';
import { orchestrateTeamTaskCreate } from './team-task-create/orchestrate.ts';
import { orchestrateTeamTaskGet } from './team-task-get/orchestrate.ts';
import { orchestrateTeamTaskList } from './team-task-list/orchestrate.ts';
import { orchestrateTeamTaskUpdate } from './team-task-update/orchestrate.ts';
import { orchestrateWaitAgent } from './wait-agent/orchestrate.ts';
import { orchestrateTodoWrite } from './todo-write/orchestrate.ts';
import { orchestrateWorkflow } from './workflow/orchestrate.ts';

export type { OrchestratedEvent, OrchestratedResult, Orchestration, OrchestrationContext } from './kit/index.ts';

/** Every body that runs in workflow code, by the key of its tool. */
export const orchestrations: ReadonlyMap<string, Orchestration> = new Map(
  [
    orchestrateAskUserQuestion,
    orchestrateExitPlanMode,
    orchestrateContinuableSubagent,
    orchestrateContinuableSubagentFork,
    orchestrateInterruptAgent,
    orchestrateJobKill,
    orchestrateJobList,
    orchestrateJobOutput,
    orchestrateListAgents,
    orchestrateRalph,
    orchestrateRunCode,
    orchestrateSendMessage,
    orchestrateSubagent,
    orchestrateCreateGoal,
    orchestrateGetGoal,
    orchestrateUpdateGoal,
    orchestrateScheduleCreate,
    orchestrateScheduleDelete,
    orchestrateScheduleList,
    orchestrateSubagentFork,
    orchestrateTodoWrite,
    orchestrateWorkflow,
    orchestrateSpawnTeammate,
    orchestrateTeamInterruptAgent,
    orchestrateTeamListAgents,
    orchestrateTeamSendMessage,
    orchestrateTeamTaskCreate,
    orchestrateTeamTaskGet,
    orchestrateTeamTaskList,
    orchestrateTeamTaskUpdate,
    orchestrateWaitAgent,
  ].map((orchestration) => [toolKey(orchestration.definition), orchestration]),
);
