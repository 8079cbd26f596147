import { setCurrentDetails } from '@temporalio/workflow';
import type { SessionStatus } from '@everturn/core/protocol';
import { publishLive } from './publish-live.ts';
import { publishStatus } from './search-attributes.ts';
import type { SessionState } from './session-state.ts';

/** Shows operators where the session stands, in the Temporal UI and its lists. */
export function describeSession(session: SessionState, status: SessionStatus): void {
  const { inputTokens, cacheReadTokens, outputTokens, steps } = session.usage;
  const tokens = inputTokens + cacheReadTokens + outputTokens;
  setCurrentDetails(
    [
      `**${session.title || session.input.session}** · ${status}`,
      '',
      `- turn: ${session.running ? `${session.running.number} runs` : `${session.lastTurn} was the last`}`,
      `- waiting messages: ${session.queue.queued.length}${session.parked ? ' (parked until the next prompt)' : ''}`,
      `- steps: ${steps}, tokens: ${tokens}`,
    ].join('\n'),
  );
  publishLive(session, { kind: 'agent/status', status });
  publishStatus(session.searchAttributes, session.input, { status, tokens, model: session.model });
}
