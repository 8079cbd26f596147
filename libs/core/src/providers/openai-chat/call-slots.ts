import type { ToolCallPiece } from './wire-frame.ts';

/** A tool call while it arrives. */
export interface CallSlot {
  id: string;
  name: string;
  arguments: string;
}

/** Finds the call a piece belongs to. Pieces name it by index; some servers give none, or 0 for every call. */
export class CallSlots {
  readonly #byIndex = new Map<number, CallSlot>();
  readonly #all: CallSlot[] = [];

  /** The piece's call, opened if need be. Empty ids and names never overwrite real ones. */
  take(piece: ToolCallPiece): CallSlot {
    const slot = this.#find(piece) ?? this.#open(piece.index ?? this.#all.length);
    const id = piece.id ?? '';
    if (id && id !== slot.id) slot.id = this.#unused(id);
    slot.name = piece.function?.name || slot.name;
    return slot;
  }

  #find(piece: ToolCallPiece): CallSlot | undefined {
    if (typeof piece.index === 'number') {
      const slot = this.#byIndex.get(piece.index);
      return slot && startsAnother(slot, piece) ? undefined : slot;
    }
    return piece.id ? this.#all.find((slot) => slot.id === piece.id) : this.#all.at(-1);
  }

  #open(index: number): CallSlot {
    const slot = { id: '', name: '', arguments: '' };
    this.#byIndex.set(index, slot);
    this.#all.push(slot);
    return slot;
  }

  /** Results are matched by id, so two calls of one answer must not share one. */
  #unused(id: string): string {
    const taken = (candidate: string) => this.#all.some((slot) => slot.id === candidate);
    let candidate = id;
    for (let n = 2; taken(candidate); n += 1) candidate = `${id}-${n}`;
    return candidate;
  }
}

/** The same index, but another id and a name after a complete call: a second call of a server that counts badly. */
function startsAnother(slot: CallSlot, piece: ToolCallPiece): boolean {
  return Boolean(piece.id && slot.id && piece.id !== slot.id && piece.function?.name && isJson(slot.arguments));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
