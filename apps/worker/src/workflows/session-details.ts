import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { SessionStatus } from '@everturn/core/protocol';
import { publishLive } from './publish-live.ts';
import type { SessionState } from './session-state.ts';

const STATUS = defineSearchAttributeKey('EverturnStatus', SearchAttributeType.KEYWORD);
const MODEL = defineSearchAttributeKey('EverturnModel', SearchAttributeType.KEYWORD);
const TOKENS = defineSearchAttributeKey('EverturnTokens', SearchAttributeType.INT);

/** Shows operators where the session stands, in the Temporal UI and its lists. */
export function describeSession(session: SessionState, status: SessionStatus): void {
  const tokens = session.usage.inputTokens + session.usage.cacheReadTokens + session.usage.outputTokens;
  setCurrentDetails(
    [
      `**${session.title || session.input.session}** · ${status}`,
      '',
      `- turn: ${session.running ? `${session.running.number} runs` : `${session.lastTurn} was the last`}`,
      `- waiting messages: ${session.queue.queued.length}${session.parked ? ' (parked until the next prompt)' : ''}`,
      `- steps: ${session.usage.steps}, tokens: ${tokens}`,
    ].join('\n'),
  );
  publishLive(session, { kind: 'agent/status', status });
  if (!session.searchAttributes) return;
  upsertSearchAttributes([
    { key: STATUS, value: status },
    { key: TOKENS, value: tokens },
    ...(session.model ? [{ key: MODEL, value: session.model }] : []),
  ]);
}
