import { goalError, type GoalReply, type GoalToolRequest } from '@everturn/core/domain';
import { jsonText } from './json-text.ts';
import type { OrchestrationContext } from './orchestrate-tool.ts';

/** The goal of the session that calls. For workflow code: waiting holds nothing. */
export interface GoalPort {
  /** Answers once what was asked for is in the log; `undefined` when the call was stopped before. */
  ask(request: GoalToolRequest): Promise<GoalReply | undefined>;
}

/** Asks, and answers with the goal, or with what is wrong as an error that says its code. */
export async function askGoal({ goal }: OrchestrationContext, request: GoalToolRequest) {
  if (!goal) throw refused(goalError('GOAL_TOOL_AGENT_REQUIRED', 'no session serves this call'));
  const reply = await goal.ask(request);
  if (!reply) throw new Error('the call was stopped before it was known what became of it; read the goal');
  if (reply.kind === 'goal-refused') throw refused(reply.error);
  return { content: [jsonText(reply.view)], by: reply.by };
}

const refused = ({ code, message }: ReturnType<typeof goalError>): Error => new Error(`${code}: ${message}`);
