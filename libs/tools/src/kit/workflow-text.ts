import { text } from '@everturn/core/domain';
import type { ProgramEnd, ProgramFailure } from './program-port.ts';
import { ToolError } from './tool-error.ts';
import { errorResult, type ToolExecutionResult } from './tool-result.ts';
import { characterHead } from './utf8.ts';

export interface WorkflowTextInput {
  end: ProgramEnd;
  name: string;
  /** Agents it started. */
  agents: number;
  /** UTF-16 units of the value that are shown at most. */
  maxResultChars: number;
}

/** What a model reads of the end of a script of agents. */
export function workflowResult({ end, name, agents, maxResultChars }: WorkflowTextInput): ToolExecutionResult {
  if (end.kind === 'failed') return failedWorkflow(end);
  const json = JSON.stringify(JSON.parse(end.json ?? 'null'), undefined, 2);
  const head = characterHead(json, maxResultChars);
  const shown = head === json ? json : `${head}… [truncated: ${json.length - head.length} more characters]`;
  const counted = `${agents} agent${agents === 1 ? '' : 's'}`;
  return {
    content: [text(`workflow "${name}" completed (${counted}).\nReturn value:\n${shown}`)],
    isError: false,
  };
}

/** What a model reads of a script that did not come to an end by itself, or to a bad one. */
export function failedWorkflow({ failure, message }: Extract<ProgramEnd, { kind: 'failed' }>): ToolExecutionResult {
  if (failure === 'abort')
    return errorResult(new ToolError('WORKFLOW_CANCELLED', `workflow run cancelled: ${message}`));
  return errorResult(new ToolError('WORKFLOW_FAILED', `workflow run failed: ${worded(failure, message)}`));
}

/** Whether a script never began because it is none. */
export const isNoScript = (end: ProgramEnd): boolean =>
  end.kind === 'failed' && end.failure === 'exception' && /^SyntaxError\b/.test(end.message);

function worded(failure: ProgramFailure, message: string): string {
  switch (failure) {
    case 'invalid-output':
      return `RESULT_UNSERIALIZABLE: ${message}`;
    case 'exception':
      return isNoScript({ kind: 'failed', failure, message }) ? `SCRIPT_PARSE: ${message}` : message;
    default:
      return message;
  }
}
