import { askUserQuestion } from './ask-user-question/schema.ts';
import { bash } from './bash/schema.ts';
import { continuableSubagent } from './subagents-subagent/schema.ts';
import { continuableSubagentFork } from './subagents-subagent-fork/schema.ts';
import { cordisInspectList } from './cordis-inspect-list/schema.ts';
import { cordisInspectQuery } from './cordis-inspect-query/schema.ts';
import { createGoal } from './create-goal/schema.ts';
import { edit } from './edit/schema.ts';
import { exitPlanMode } from './exit-plan-mode/schema.ts';
import { getGoal } from './get-goal/schema.ts';
import { glob } from './glob/schema.ts';
import { grep } from './grep/schema.ts';
import { interruptAgent } from './interrupt-agent/schema.ts';
import { jobKill } from './job-kill/schema.ts';
import { jobList } from './job-list/schema.ts';
import { jobOutput } from './job-output/schema.ts';
import type { ToolDefinition } from './kit/index.ts';
import { listAgents } from './list-agents/schema.ts';
import { listMcpResourceTemplates } from './list-mcp-resource-templates/schema.ts';
import { listMcpResources } from './list-mcp-resources/schema.ts';
import { readMcpResource } from './read-mcp-resource/schema.ts';
import { loadWorkspaceDependencies } from './load-workspace-dependencies/schema.ts';
import { listSubagentModels } from './list-subagent-models/schema.ts';
import { lsp } from './lsp/schema.ts';
import { persistentBash } from './persistent-bash/schema.ts';
import { persistentPwsh } from './persistent-pwsh/schema.ts';
import { pluginManager } from './plugin-manager/schema.ts';
import { present } from './present/schema.ts';
import { pwsh } from './pwsh/schema.ts';
import { ralph } from './ralph/schema.ts';
import { read } from './read/schema.ts';
import { readImage } from './read-image/schema.ts';
import { runCode } from './run-code/schema.ts';
import { scheduleCreate } from './schedule-create/schema.ts';
import { scheduleDelete } from './schedule-delete/schema.ts';
import { scheduleList } from './schedule-list/schema.ts';
import { sendMessage } from './send-message/schema.ts';
import { sessionEventRead } from './session-event-read/schema.ts';
import { sessionEventSearch } from './session-event-search/schema.ts';
import { sessionEventTrace } from './session-event-trace/schema.ts';
import { sessionSearch } from './session-search/schema.ts';
import { sessionTrace } from './session-trace/schema.ts';
import { skill } from './skill/schema.ts';
import { stagehandAct } from './stagehand-act/schema.ts';
import { stagehandExtract } from './stagehand-extract/schema.ts';
import { stagehandNavigate } from './stagehand-navigate/schema.ts';
import { stagehandObserve } from './stagehand-observe/schema.ts';
import { stagehandScreenshot } from './stagehand-screenshot/schema.ts';
import { stagehandTabs } from './stagehand-tabs/schema.ts';
import { strReplaceEditor } from './str-replace-editor/schema.ts';
import { subagent } from './subagent/schema.ts';
import { subagentFork } from './subagent-fork/schema.ts';
import { spawnTeammate } from './spawn-teammate/schema.ts';
import { teamInterruptAgent } from './team-interrupt-agent/schema.ts';
import { teamListAgents } from './team-list-agents/schema.ts';
import { teamSendMessage } from './team-send-message/schema.ts';
import { teamTaskCreate } from './team-task-create/schema.ts';
import { teamTaskGet } from './team-task-get/schema.ts';
import { teamTaskList } from './team-task-list/schema.ts';
import { teamTaskUpdate } from './team-task-update/schema.ts';
import { waitAgent } from './wait-agent/schema.ts';
import { terminalClose } from './terminal-close/schema.ts';
import { terminalList } from './terminal-list/schema.ts';
import { terminalOpen } from './terminal-open/schema.ts';
import { terminalRead } from './terminal-read/schema.ts';
import { terminalSend } from './terminal-send/schema.ts';
import { terminalSignal } from './terminal-signal/schema.ts';
import { todoWrite } from './todo-write/schema.ts';
import { updateGoal } from './update-goal/schema.ts';
import { webFetch } from './web-fetch/schema.ts';
import { webSearch } from './web-search/schema.ts';
import { workflow } from './workflow/schema.ts';
import { write } from './write/schema.ts';

export { classifyCall, CODE_TOOL } from './kit/index.ts';
export { webSearchFor } from './web-search/schema.ts';
export type {
  Concurrency,
  PromptSection,
  ToolDefinition,
  ToolEffect,
  ToolHome,
  ToolView,
  ValueSchema,
} from './kit/index.ts';

/** Every built-in tool, by key in alphabetical order; a name may be offered by several sets. Loads in workflow code, too. */
export const catalog: readonly ToolDefinition[] = Object.freeze([
  askUserQuestion,
  bash,
  cordisInspectList,
  cordisInspectQuery,
  createGoal,
  edit,
  exitPlanMode,
  getGoal,
  glob,
  grep,
  jobKill,
  jobList,
  jobOutput,
  listMcpResourceTemplates,
  listMcpResources,
  listSubagentModels,
  loadWorkspaceDependencies,
  lsp,
  persistentPwsh,
  persistentBash,
  pluginManager,
  present,
  pwsh,
  ralph,
  read,
  readImage,
  readMcpResource,
  runCode,
  scheduleCreate,
  scheduleDelete,
  scheduleList,
  sessionEventRead,
  sessionEventSearch,
  sessionEventTrace,
  sessionSearch,
  sessionTrace,
  skill,
  spawnTeammate,
  stagehandAct,
  stagehandExtract,
  stagehandNavigate,
  stagehandObserve,
  stagehandScreenshot,
  stagehandTabs,
  strReplaceEditor,
  subagent,
  subagentFork,
  interruptAgent,
  listAgents,
  sendMessage,
  continuableSubagent,
  continuableSubagentFork,
  teamInterruptAgent,
  teamListAgents,
  teamSendMessage,
  teamTaskCreate,
  teamTaskGet,
  teamTaskList,
  teamTaskUpdate,
  terminalClose,
  terminalList,
  terminalOpen,
  terminalRead,
  terminalSend,
  terminalSignal,
  todoWrite,
  updateGoal,
  waitAgent,
  webFetch,
  webSearch,
  workflow,
  write,
]);

/** What a tool is called where all are listed: its name, or `<toolset>:<name>` where it is a set's own take on a name. */
export const toolKey = ({ name, toolset }: Pick<ToolDefinition, 'name' | 'toolset'>): string =>
  toolset !== undefined && catalog.some((other) => other.name === name && other.toolset !== toolset)
    ? `${toolset}:${name}`
    : name;

const byKey = new Map(catalog.map((tool) => [toolKey(tool), tool]));

/** A built-in tool by its key; by its name, where a log tells no set, the set of that name or else the first. */
export const findTool = (key: string): ToolDefinition | undefined =>
  byKey.get(key) ?? byKey.get(`${key}:${key}`) ?? catalog.find(({ name }) => name === key);

/** The optional sets there are, each with the names of its tools. */
export const toolsets: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(Object.groupBy(catalog, ({ toolset = '' }) => toolset)).flatMap(([set, tools = []]) =>
    set === '' ? [] : [[set, tools.map(({ name }) => name)] as const],
  ),
);
