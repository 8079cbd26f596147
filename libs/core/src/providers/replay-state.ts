import type { JsonObject, JsonValue, Message } from '../domain/index.ts';

/**
 * Marks what an adapter wants back with the route that made it. Members of an object stay at the top, so
 * that whoever prunes them by position still finds them.
 */
export function ownReplayState(owner: string, state: JsonValue): JsonObject {
  return isObject(state) ? { ...state, owner } : { owner, value: state };
}

/** Shows each message's replay state to its own route only, as that route's adapter wrote it. */
export function showOwnReplayState(owner: string, messages: Message[]): Message[] {
  return messages.map((message) => {
    if (message.provenance?.replayState === undefined) return message;
    const { replayState, ...provenance } = message.provenance;
    const own = disown(owner, replayState);
    return { ...message, provenance: own === undefined ? provenance : { ...provenance, replayState: own } };
  });
}

function disown(owner: string, stored: JsonValue): JsonValue | undefined {
  if (!isObject(stored) || stored.owner !== owner) return undefined;
  const { owner: _, ...state } = stored;
  return Object.keys(state).length === 1 && state.value !== undefined ? state.value : state;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
