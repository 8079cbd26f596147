import { setCurrentDetails } from '@temporalio/workflow';
import { turnWorkflowId, type SessionStatus } from '@everturn/core/protocol';
import { literal } from '../shared/inert-markdown.ts';
import { publishLive } from './publish-live.ts';
import { publishStatus } from '../shared/search-attributes.ts';
import type { SessionState } from './session-state.ts';

/** Shows operators where the session stands, in the Temporal UI and its lists. */
export function describeSession(session: SessionState, status: SessionStatus): void {
  const { inputTokens, cacheReadTokens, outputTokens } = session.usage;
  const tokens = inputTokens + cacheReadTokens + outputTokens;
  setCurrentDetails(sessionDetails(session, status));
  publishLive(session, { kind: 'agent/status', status });
  publishStatus(session.searchAttributes, session.input, { status, tokens, model: session.model });
}

type Shown = Pick<SessionState, 'title' | 'running' | 'lastTurn' | 'parked' | 'usage' | 'model' | 'queue'> & {
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

/** `33,150`: numbers that are read by people. */
const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
