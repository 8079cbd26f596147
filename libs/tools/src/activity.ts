import { executeBash } from './bash/execute.ts';
import { toolKey } from './catalog.ts';
import { executeCordisInspectList } from './cordis-inspect-list/execute.ts';
import { executeCordisInspectQuery } from './cordis-inspect-query/execute.ts';
import { executeEdit } from './edit/execute.ts';
import { executeGlob } from './glob/execute.ts';
import { executeGrep } from './grep/execute.ts';
import {
  runCall,
  settleResult,
  unknownToolResult,
  type ToolBody,
  type ToolCallContext,
  type ToolExecutionResult,
} from './kit/index.ts';
import { executeListMcpResourceTemplates } from './list-mcp-resource-templates/execute.ts';
import { executeListMcpResources } from './list-mcp-resources/execute.ts';
import { executeListSubagentModels } from './list-subagent-models/execute.ts';
import { executeReadMcpResource } from './read-mcp-resource/execute.ts';
import { executeLoadWorkspaceDependencies } from './load-workspace-dependencies/execute.ts';
import { executeLsp } from './lsp/execute.ts';
import { executePersistentBash } from './persistent-bash/execute.ts';
import { executePersistentPwsh } from './persistent-pwsh/execute.ts';
import { executePluginManager } from './plugin-manager/execute.ts';
import { executePresent } from './present/execute.ts';
import { executePwsh } from './pwsh/execute.ts';
import { executeRead } from './read/execute.ts';
import { executeReadImage } from './read-image/execute.ts';
import { executeSessionEventRead } from './session-event-read/execute.ts';
import { executeSessionEventSearch } from './session-event-search/execute.ts';
import { executeSessionEventTrace } from './session-event-trace/execute.ts';
import { executeSessionSearch } from './session-search/execute.ts';
import { executeSessionTrace } from './session-trace/execute.ts';
import { executeSkill } from './skill/execute.ts';
import { executeStagehandAct } from './stagehand-act/execute.ts';
import { executeStagehandExtract } from './stagehand-extract/execute.ts';
import { executeStagehandNavigate } from './stagehand-navigate/execute.ts';
import { executeStagehandObserve } from './stagehand-observe/execute.ts';
import { executeStagehandScreenshot } from './stagehand-screenshot/execute.ts';
import { executeStagehandTabs } from './stagehand-tabs/execute.ts';
import { executeStrReplaceEditor } from './str-replace-editor/execute.ts';
import { executeTerminalClose } from './terminal-close/execute.ts';
import { executeTerminalList } from './terminal-list/execute.ts';
import { executeTerminalOpen } from './terminal-open/execute.ts';
import { executeTerminalRead } from './terminal-read/execute.ts';
import { executeTerminalSend } from './terminal-send/execute.ts';
import { executeTerminalSignal } from './terminal-signal/execute.ts';
import { executeWebFetch } from './web-fetch/execute.ts';
import { executeWebSearch } from './web-search/execute.ts';
import { executeWrite } from './write/execute.ts';

/** Every body that runs in an activity, by the key of its tool. */
export const bodies: ReadonlyMap<string, ToolBody> = new Map(
  [
    executeBash,
    executeCordisInspectList,
    executeCordisInspectQuery,
    executeEdit,
    executeGlob,
    executeGrep,
    executeListMcpResourceTemplates,
    executeListMcpResources,
    executeListSubagentModels,
    executeLoadWorkspaceDependencies,
    executeLsp,
    executePersistentBash,
    executePersistentPwsh,
    executePluginManager,
    executePresent,
    executePwsh,
    executeRead,
    executeReadMcpResource,
    executeReadImage,
    executeSessionEventRead,
    executeSessionEventSearch,
    executeSessionEventTrace,
    executeSessionSearch,
    executeSessionTrace,
    executeSkill,
    executeStagehandAct,
    executeStagehandExtract,
    executeStagehandNavigate,
    executeStagehandObserve,
    executeStagehandScreenshot,
    executeStagehandTabs,
    executeStrReplaceEditor,
    executeTerminalClose,
    executeTerminalList,
    executeTerminalOpen,
    executeTerminalRead,
    executeTerminalSend,
    executeTerminalSignal,
    executeWebFetch,
    executeWebSearch,
    executeWrite,
  ].map((body) => [toolKey(body.definition), body]),
);

export interface ExecuteToolInput {
  /** The tool's key in the catalogue. */
  name: string;
  /** Parsed arguments; the raw text where it was not JSON. */
  args: unknown;
  context: ToolCallContext;
  /** Told of what went wrong beside the call, such as a spill that failed. */
  warn?(message: string, cause: unknown): void;
}

/** Runs one call that policy has let through and answers with its settled result; never throws. */
export async function executeTool({ name, args, context, warn }: ExecuteToolInput): Promise<ToolExecutionResult> {
  const body = bodies.get(name);
  if (!body) return settleResult(unknownToolResult(name));
  return runCall({ body, args, context, ...(warn && { warn }) });
}
