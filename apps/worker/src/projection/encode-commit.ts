import { canonicalJson } from '@everturn/core/domain';
import type { AuthoredEvent } from '@everturn/core/domain';
import { storableText } from '@everturn/core/postgres';
import type { Commit, RowChanges, SessionRef } from '../contract/index.ts';
import { encodeEvent } from './encode-event.ts';

/** The input of the SQL function that commits. */
export function encodeCommit({ tenant, session, generation }: SessionRef, commit: Commit): object {
  const { events, highestAcknowledged, expectOpenTurn, rows } = commit;
  return {
    tenant,
    session,
    generation,
    highestAcknowledged,
    events: onceEach(events).map(encodeEvent),
    ...(expectOpenTurn !== undefined && { expectOpenTurn }),
    ...(rows && { rows: encodeRows(rows) }),
  };
}

// An event that failed to reach one activity rides with two later ones, which may be put together.
function onceEach(events: readonly AuthoredEvent[]): AuthoredEvent[] {
  return [...new Map(events.map((event) => [event.eid, event])).values()];
}

function encodeRows({ interactions, requests, model, ...rest }: RowChanges): object {
  return {
    ...rest,
    ...(model !== undefined && { model: storableText(model) }),
    ...(interactions && {
      interactions: interactions.map(({ callId, request, outcome, ...change }) => ({
        ...change,
        ...(callId !== undefined && { callId: canonicalJson(callId) }),
        request: canonicalJson(request),
        ...(outcome !== undefined && { outcome: canonicalJson(outcome) }),
      })),
    }),
    ...(requests && {
      requests: requests.map(({ message, ...change }) => ({
        ...change,
        ...(message !== undefined && { message: storableText(message) }),
      })),
    }),
  };
}
