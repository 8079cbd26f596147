import { z } from 'zod';
import type { JsonValue } from '../../domain/index.ts';

/** What a thinking block needs to go back: its signature, or all there is of one that was hidden. */
const BlockState = z.union([z.strictObject({ signature: z.string() }), z.strictObject({ redacted: z.string() })]);
export type BlockState = z.output<typeof BlockState>;

const State = z.object({
  kind: z.literal('anthropic-messages'),
  version: z.literal(1),
  blocks: z.array(BlockState.nullable()),
});

/** The state of a message whose blocks hold anything to send back; `undefined` when none does. */
export function replayStateOf(blocks: readonly (BlockState | undefined)[]): JsonValue | undefined {
  if (blocks.every((block) => block === undefined)) return undefined;
  return { kind: 'anthropic-messages', version: 1, blocks: blocks.map((block) => block ?? null) };
}

/** The states of a message's blocks by position; one we do not understand is as good as none. */
export function blockStates(state: JsonValue | undefined, blocks: number): readonly (BlockState | null)[] {
  const parsed = State.safeParse(state);
  return parsed.success && parsed.data.blocks.length === blocks ? parsed.data.blocks : [];
}
