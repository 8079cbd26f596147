import {
  errorChain,
  text,
  type ContentBlock,
  type HookContext,
  type JsonValue,
  type ToolErrorInfo,
} from '@everturn/core/domain';
import type { OrchestratedEvent } from './orchestrate-tool.ts';
import { ToolError, toolErrorInfo } from './tool-error.ts';

/** What a body returns for a call that worked. */
export interface ToolOutput {
  content: ContentBlock[];
  /** For displays only; computed for top-level calls, never shown to the model. */
  meta?: JsonValue;
  /** The complete result as data; only a program's sub-call gets it. */
  value?: JsonValue;
  /** Written to the log after the call's result, if that is still a success once policy has judged it. */
  events?: readonly OrchestratedEvent[];
}

/** The settled outcome of one call, failures included. */
export interface ToolExecutionResult {
  content: ContentBlock[];
  isError: boolean;
  error?: ToolErrorInfo;
  meta?: JsonValue;
  additionalContexts?: HookContext[];
  /** Only on sub-calls of a program, which read data instead of text. */
  value?: JsonValue;
  /** For the log, see {@link ToolOutput}; never on a failure. */
  events?: readonly OrchestratedEvent[];
}

/** The result of a failed call: one text block `Error: <message>`. */
export function errorResult(error: unknown): ToolExecutionResult {
  const info = toolErrorInfo(error);
  return {
    content: [text(`Error: ${errorChain(error)}`)],
    isError: true,
    ...(info && { error: info }),
  };
}

/** The result of a call that policy refused: its reason, with no code, because nothing failed. */
export function denialResult(reason: string): ToolExecutionResult {
  return { content: [text(`Error: ${reason}`)], isError: true };
}

/** The result of a call that was cancelled, before its body began or after. */
export function abortedResult(when: 'before-dispatch' | 'running'): ToolExecutionResult {
  return errorResult(
    when === 'running'
      ? new ToolError('ABORTED', 'tool call aborted')
      : new ToolError('ABORTED_BEFORE_DISPATCH', 'tool call aborted before dispatch'),
  );
}

/** The result of a call whose tool does not exist or is hidden from this session. */
export function unknownToolResult(name: string): ToolExecutionResult {
  return errorResult(new ToolError('UNKNOWN_TOOL', `unknown tool "${name}"`));
}

/** The result of a direct call of a tool that only programs may call. */
export function codeOnlyResult(name: string): ToolExecutionResult {
  const form = `await tools.${name}({ … })`;
  const message = `unknown tool "${name}": only run_code is callable directly; in its code, call this tool as ${form}`;
  return errorResult(new ToolError('UNKNOWN_TOOL', message));
}
