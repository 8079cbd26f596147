import { z } from 'zod';
import type { JsonValue } from '../../domain/index.ts';

/** What a block needs to go back as the item it was: its id, and the sealed thinking of a reasoning item. */
const ItemState = z.strictObject({
  id: z.string().exactOptional(),
  encrypted: z.string().exactOptional(),
  /** A reasoning item's own texts, where it had several or showed them in full. */
  summary: z.array(z.string()).exactOptional(),
});
export type ItemState = z.output<typeof ItemState>;

const State = z.object({
  kind: z.literal('openai-responses'),
  version: z.literal(1),
  blocks: z.array(ItemState.nullable()),
});

/** The state of a message whose blocks hold anything to send back; `undefined` when none does. */
export function replayStateOf(blocks: readonly (ItemState | undefined)[]): JsonValue | undefined {
  if (blocks.every((block) => block === undefined)) return undefined;
  return { kind: 'openai-responses', version: 1, blocks: blocks.map((block) => block ?? null) };
}

/** The states of a message's blocks by position; one we do not understand is as good as none. */
export function itemStates(state: JsonValue | undefined, blocks: number): readonly (ItemState | null)[] {
  const parsed = State.safeParse(state);
  return parsed.success && parsed.data.blocks.length === blocks ? parsed.data.blocks : [];
}
