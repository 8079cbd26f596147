import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import { taskQueues, type WebhookRetry } from '@everturn/core/protocol';
import type { HostId } from '@everturn/core/domain';
import {
  BIRTH_OPTIONS,
  CONTROL_OPTIONS,
  DISCOVERY_OPTIONS,
  HOST_SCHEDULE_TO_START_MS,
  LOG_OPTIONS,
  MAINTENANCE_OPTIONS,
  MODEL_OPTIONS,
  PROGRAM_OPTIONS,
  REGISTRY_OPTIONS,
  RELEASE_OPTIONS,
  SETTLE_OPTIONS,
  TITLE_OPTIONS,
  toolOptions,
  webhookOptions,
  type AssembleActivities,
  type BirthActivities,
  type CommandActivities,
  type ChildActivities,
  type CompactionActivities,
  type DiscoveryActivities,
  type HostActivities,
  type InterceptActivities,
  type JobBodyActivities,
  type JobControlActivities,
  type JobRowActivities,
  type LogActivities,
  type MaintenanceActivities,
  type ModelActivities,
  type ProgramActivities,
  type RalphActivities,
  type ReleaseActivities,
  type ScheduledRunActivities,
  type SettleActivities,
  type TeamActivities,
  type TimeActivities,
  type TitleActivities,
  type ToolActivities,
  type WebhookActivities,
} from '../contract/index.ts';

/** The deployment's queues; workflows themselves always run on the main one. */
const queues = () => taskQueues(workflowInfo().taskQueue);

export const { commitLog } = proxyActivities<LogActivities>(LOG_OPTIONS);
export const { settle } = proxyActivities<SettleActivities>(SETTLE_OPTIONS);
export const { openLog, recover } = proxyActivities<BirthActivities>(BIRTH_OPTIONS);
export const { maintain } = proxyActivities<MaintenanceActivities>(MAINTENANCE_OPTIONS);
export const { fireSchedule, promptState } = proxyActivities<ScheduledRunActivities>(LOG_OPTIONS);
export const { resolveTime } = proxyActivities<TimeActivities>(LOG_OPTIONS);
export const {
  acceptNotices,
  describeEnd,
  endAgentJob,
  listAgents,
  lostChildren,
  mayInterrupt,
  prepareAgentJob,
  prepareChild,
  readAgent,
  readChild,
  sendMessage,
} = proxyActivities<ChildActivities>(LOG_OPTIONS);
export const { endRound, prepareRound } = proxyActivities<RalphActivities>(LOG_OPTIONS);
export const { answerTeam, findMember, handMail, loadTeam, readMail } = proxyActivities<TeamActivities>(LOG_OPTIONS);
export const { assignHost, boundHost } = proxyActivities<HostActivities>(LOG_OPTIONS);

export const { finishJob, listJobs, readJob, stopAllJobs, stopJob, takeNotices } =
  proxyActivities<JobRowActivities>(LOG_OPTIONS);

/** The body of a job, on its machine. */
export const runJob = (
  input: Parameters<JobBodyActivities['runJob']>[0],
  host: HostId,
): ReturnType<JobBodyActivities['runJob']> =>
  proxyActivities<JobBodyActivities>({
    ...toolOptions(undefined, queues().host(host)),
    summary: `${input.job.id}: ${input.job.label.slice(0, 80)}`,
  }).runJob(input);

/** Tells a machine to end a job, past everything that waits for it. */
export const killJob = (
  input: Parameters<JobControlActivities['killJob']>[0],
  host: HostId,
): ReturnType<JobControlActivities['killJob']> =>
  proxyActivities<JobControlActivities>({
    ...CONTROL_OPTIONS,
    taskQueue: queues().hostControl(host),
    summary: `kill ${input.job}`,
  }).killJob(input);

/** The end of what a session holds on one machine. */
export const releaseSession = (
  input: Parameters<ReleaseActivities['releaseSession']>[0],
  host: HostId,
): ReturnType<ReleaseActivities['releaseSession']> =>
  proxyActivities<ReleaseActivities>({ ...RELEASE_OPTIONS, taskQueue: queues().host(host) }).releaseSession(input);

/** Composition of a header, where the registry is, or on the host that has the session's folder. */
export const assemble = (
  input: Parameters<AssembleActivities['assemble']>[0],
  host?: HostId,
): ReturnType<AssembleActivities['assemble']> =>
  proxyActivities<AssembleActivities>({
    ...REGISTRY_OPTIONS,
    ...(host === undefined
      ? { taskQueue: queues().model }
      : { taskQueue: queues().host(host), scheduleToStartTimeout: HOST_SCHEDULE_TO_START_MS }),
  }).assemble(input);

/** A command of a plugin, wherever the registry is. */
export const runPluginCommand: CommandActivities['runPluginCommand'] = (input) =>
  proxyActivities<CommandActivities>({
    ...REGISTRY_OPTIONS,
    taskQueue: queues().model,
    summary: `/${input.name}`,
  }).runPluginCommand(input);

/** Listeners of one interception point, where the registry is, or on a host when what they judge lies there. */
export const intercept = (
  input: Parameters<InterceptActivities['intercept']>[0],
  host?: HostId,
): ReturnType<InterceptActivities['intercept']> =>
  proxyActivities<InterceptActivities>({
    ...REGISTRY_OPTIONS,
    ...(host === undefined
      ? { taskQueue: queues().model }
      : { taskQueue: queues().host(host), scheduleToStartTimeout: HOST_SCHEDULE_TO_START_MS }),
    summary: input.interception.point,
  }).intercept(input);

/** One attempt at the provider; `summary` is what operators read in the Temporal UI. */
export const streamModel = (
  input: Parameters<ModelActivities['streamModel']>[0],
  summary: string,
): ReturnType<ModelActivities['streamModel']> =>
  proxyActivities<ModelActivities>({ ...MODEL_OPTIONS, taskQueue: queues().model, summary }).streamModel(input);

/** A look at the history, where histories are kept in memory. */
export const planCompaction: CompactionActivities['planCompaction'] = (input) =>
  proxyActivities<CompactionActivities>({
    ...LOG_OPTIONS,
    taskQueue: queues().model,
    summary: input.trigger,
  }).planCompaction(input);

/** One attempt at a summary of the history's beginning. */
export const summarize: CompactionActivities['summarize'] = (input) =>
  proxyActivities<CompactionActivities>({
    ...MODEL_OPTIONS,
    taskQueue: queues().model,
    summary: `summary of ${input.span.nodes} messages`,
  }).summarize(input);

/** A question to a provider about its models. */
export const discoverModels: DiscoveryActivities['discoverModels'] = (input) =>
  proxyActivities<DiscoveryActivities>({ ...DISCOVERY_OPTIONS, taskQueue: queues().model }).discoverModels(input);

/** What a title would be asked with. */
export const planTitle: TitleActivities['planTitle'] = (input) =>
  proxyActivities<TitleActivities>({ ...TITLE_OPTIONS, taskQueue: queues().model, summary: 'title' }).planTitle(input);

/** One attempt at a title. */
export const askTitle: TitleActivities['askTitle'] = (input) =>
  proxyActivities<TitleActivities>({ ...TITLE_OPTIONS, taskQueue: queues().model, summary: 'title' }).askTitle(input);

/** A program up to its next calls, on any worker: it runs the same everywhere. */
export const runProgram = (
  input: Parameters<ProgramActivities['runProgram']>[0],
  summary: string,
): ReturnType<ProgramActivities['runProgram']> =>
  proxyActivities<ProgramActivities>({ ...PROGRAM_OPTIONS, summary }).runProgram(input);

/** One tool body, on a host when it acts on a machine, else on any model worker. */
export const runTool = (
  input: Parameters<ToolActivities['runTool']>[0],
  on: { host: HostId | undefined; cap: number | undefined; summary: string },
): ReturnType<ToolActivities['runTool']> =>
  proxyActivities<ToolActivities>({
    ...(on.host === undefined
      ? { ...toolOptions(on.cap, undefined), taskQueue: queues().model }
      : toolOptions(on.cap, queues().host(on.host))),
    summary: on.summary,
  }).runTool(input);

export const { giveWebhookUp } = proxyActivities<WebhookActivities>(LOG_OPTIONS);

/** Tries to deliver a notification, again and again. */
export const deliverWebhook = (
  input: Parameters<WebhookActivities['deliverWebhook']>[0],
  retry: WebhookRetry,
): ReturnType<WebhookActivities['deliverWebhook']> =>
  proxyActivities<WebhookActivities>({ ...webhookOptions(retry), summary: 'deliver' }).deliverWebhook(input);
