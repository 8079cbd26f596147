import { setCurrentDetails } from '@temporalio/workflow';
import type { SessionId } from '@everturn/core/domain';
import { sessionWorkflowId, turnWorkflowId, type SessionStatus } from '@everturn/core/protocol';
import { literal } from '../shared/inert-markdown.ts';
import { publishLive } from './publish-live.ts';
import { publishStatus } from '../shared/search-attributes.ts';
import type { SessionState } from './session-state.ts';

/** Shows operators where the session stands, in the Temporal UI and its lists. */
export function describeSession(session: SessionState, status: SessionStatus): void {
  const { inputTokens, cacheReadTokens, outputTokens } = session.usage;
  const tokens = inputTokens + cacheReadTokens + outputTokens;
  session.described = status;
  setCurrentDetails(sessionDetails(session, status));
  publishLive(session, { kind: 'agent/status', status });
  publishStatus(session.searchAttributes, session.input, { status, tokens, model: session.model });
}

/** The same once more where only who works for the session has changed; nobody else is told. */
export function describeAgents(session: SessionState): void {
  if (session.described) setCurrentDetails(sessionDetails(session, session.described));
}

type Shown = Pick<
  SessionState,
  'title' | 'running' | 'lastTurn' | 'parked' | 'usage' | 'model' | 'queue' | 'children'
> & {
  input: Pick<SessionState['input'], 'session'>;
};

/** The same as text. */
export function sessionDetails(session: Shown, status: SessionStatus): string {
  const { inputTokens, cacheReadTokens, outputTokens, steps, costUsd } = session.usage;
  return [
    `**${literal(session.title || session.input.session)}** · ${status}`,
    '',
    `- ${turnLine(session)}`,
    `- waiting messages: ${session.queue.queued.length}${session.parked ? ' (parked until the next prompt)' : ''}`,
    ...agentsLine(session),
    `- steps: ${steps}`,
    `- tokens: ${grouped(inputTokens + cacheReadTokens)} in (${grouped(cacheReadTokens)} of them cached), ${grouped(outputTokens)} out`,
    ...(costUsd === undefined ? [] : [`- cost: $${costUsd.toFixed(4)}`]),
    ...(session.model ? [`- model: ${literal(session.model)}`] : []),
  ].join('\n');
}

function turnLine({ running, lastTurn, input }: Shown): string {
  if (running) return `turn ${running.number} runs: ${literal(turnWorkflowId(input.session, running.number))}`;
  return lastTurn > 0 ? `turn ${lastTurn} was the last` : 'no turn yet';
}

const SHOWN_AGENTS = 20;

/** Agents that stay and are at work, by the ids under which their workflows are found. */
function agentsLine({ children }: Shown): string[] {
  // Its keys are their ids.
  const ids = Object.keys(children) as SessionId[];
  if (ids.length === 0) return [];
  const shown = ids.slice(0, SHOWN_AGENTS).map((id) => literal(sessionWorkflowId(id)));
  const more = ids.length > SHOWN_AGENTS ? [`and ${ids.length - SHOWN_AGENTS} more`] : [];
  return [`- agents at work: ${[...shown, ...more].join(', ')}`];
}

/** `33,150`: numbers that are read by people. */
const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
