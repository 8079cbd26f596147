import { goalError, type GoalError, type GoalReply, type GoalToolRequest } from '@everturn/core/domain';
import { jsonText } from './json-text.ts';
import type { OrchestrationContext } from './orchestrate-tool.ts';
import { ToolError } from './tool-error.ts';

/** The goal of the session that calls. For workflow code: waiting holds nothing. */
export interface GoalPort {
  /** Answers once what was asked for is in the log; `undefined` when the call was stopped before. */
  ask(request: GoalToolRequest): Promise<GoalReply | undefined>;
  /** Whether a refusal of this call has its code by itself, too, and not in its words alone; asked for refusals only. */
  coded(): boolean;
}

/** Asks, and answers with the goal, or with what is wrong as an error that says its code. */
export async function askGoal({ goal }: OrchestrationContext, request: GoalToolRequest) {
  if (!goal) throw refused(goalError('GOAL_TOOL_AGENT_REQUIRED', 'no session serves this call'), true);
  const reply = await goal.ask(request);
  if (!reply) throw new Error('the call was stopped before it was known what became of it; read the goal');
  if (reply.kind === 'goal-refused') throw refused(reply.error, goal.coded());
  return { content: [jsonText(reply.view)], by: reply.by };
}

function refused({ code, message }: GoalError, coded: boolean): Error {
  const words = `${code}: ${message}`;
  return coded ? new ToolError(code, words) : new Error(words);
}
