import {
  WAIT_MS,
  type JsonValue,
  type TeamAnswer,
  type TeamQuestion,
  type TeamReply,
  type TeamRequest,
} from '@everturn/core/domain';
import type { OrchestrationContext } from './orchestrate-tool.ts';
import { ToolError, type ToolErrorCode } from './tool-error.ts';
import { jsonText } from './json-text.ts';
import type { ReferredResult } from './program-port.ts';

/** The optional set that gives a session a team. */
export const TEAM_TOOLSET = 'team';

/** The team of the session that calls. Its members are for workflow code: waiting holds nothing. */
export interface TeamPort {
  /** Answers once what was asked for is in the log of the lead; `undefined` when the call was stopped before. */
  ask(request: TeamRequest): Promise<TeamReply | undefined>;
  /** What the log of the lead says now. */
  read(question: TeamQuestion): Promise<TeamAnswer>;
}

/** Asks the lead's session, and answers with what it says as compact JSON. */
export async function askTeam(context: OrchestrationContext, request: TeamRequest) {
  const reply = await requireTeam(context).ask(request);
  return { events: [], output: { content: [jsonText(valueOf(reply, request))] } };
}

function valueOf(reply: TeamReply | undefined, { operation }: TeamRequest): { [key: string]: JsonValue } {
  if (reply?.kind === 'team') return reply.value;
  // Codes of refusals are codes of tools, which the types of another package cannot say.
  if (reply?.kind === 'team-refused') throw new ToolError(reply.error.code as ToolErrorCode, reply.error.message);
  if (operation === 'wait')
    throw new ToolError('TEAM_WAIT_ABORTED', 'the wait was stopped; list_agents shows how things stand');
  throw new ToolError(
    'TOOL_OUTCOME_UNKNOWN',
    'the call ended before it was known whether it was done: look with list_agents or team_task_list before you try again',
  );
}

/** Answers what the log of the lead says, as compact JSON. */
export async function readTeam(context: OrchestrationContext, question: TeamQuestion) {
  const answer = await requireTeam(context).read(question);
  if (answer.kind === 'refused') throw new ToolError(answer.error.code, answer.error.message);
  const settled: ReferredResult = { content: answer.content, isError: false };
  return { events: [], output: { settled } };
}

/** The team, where the call's session has one; without, nobody has asked for one. */
function requireTeam({ team }: OrchestrationContext): TeamPort {
  if (!team) throw new ToolError('TEAM_NOT_MEMBER', 'this session is neither the lead nor a member of a team');
  return team;
}

/** How long a wait is that says nothing. */
export const USUAL_WAIT_MS = WAIT_MS.usual;
