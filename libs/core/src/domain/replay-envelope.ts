import type { JsonObject, JsonValue } from './json.ts';

/**
 * Cuts a replay envelope, whose `blocks` belong to the message's blocks by position, to the blocks that were kept.
 * A state without `blocks` stays as it is; one whose length does not match is dropped (`undefined`).
 */
export function pruneReplayState(state: JsonValue, kept: readonly boolean[]): JsonValue | undefined {
  if (!isEnvelope(state)) return state;
  if (state.blocks.length !== kept.length) return undefined;
  return { ...state, blocks: state.blocks.filter((_block, index) => kept[index]) };
}

function isEnvelope(state: JsonValue): state is JsonObject & { blocks: readonly JsonValue[] } {
  return typeof state === 'object' && state !== null && 'blocks' in state && Array.isArray(state.blocks);
}
