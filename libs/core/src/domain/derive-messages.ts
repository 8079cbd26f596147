import { snapshotJson } from './canonical-json.ts';
import type { SurfaceEvent } from './events.ts';
import type { Message } from './messages.ts';
import type { SurfaceFold } from './surface-fold.ts';

const projected = new WeakMap<SurfaceEvent, Message | null>();

/** The messages a model is sent for these surface nodes: a fresh array over shared, frozen messages. */
export function deriveMessages(nodes: Iterable<SurfaceEvent>): Message[] {
  const messages: Message[] = [];
  for (const node of nodes) {
    const message = messageOf(node);
    if (message) messages.push(message);
  }
  return messages;
}

/** Derives the messages of a growing surface; projects each node once and starts over only after a replacement. */
export class DerivedMessages {
  readonly #fold: SurfaceFold;
  #messages: Message[] = [];
  #consumed = 0;
  #generation = 0;

  constructor(fold: SurfaceFold) {
    this.#fold = fold;
  }

  /** The messages of the surface as it stands now. */
  messages(): Message[] {
    if (this.#generation !== this.#fold.replaceGeneration) {
      this.#messages = [];
      this.#consumed = 0;
      this.#generation = this.#fold.replaceGeneration;
    }
    for (; this.#consumed < this.#fold.length; this.#consumed += 1) {
      const message = messageOf(this.#fold.at(this.#consumed) as SurfaceEvent);
      if (message) this.#messages.push(message);
    }
    return [...this.#messages];
  }
}

function messageOf(node: SurfaceEvent): Message | null {
  const known = projected.get(node);
  if (known !== undefined) return known;
  const message = project(node);
  // A frozen copy of what it was given.
  const frozen = message && (snapshotJson(message, `message of event ${node.seq}`) as unknown as Message);
  projected.set(node, frozen);
  return frozen;
}

function project(node: SurfaceEvent): Message | null {
  switch (node.type) {
    case 'user/message':
    case 'context/message':
    case 'steering/message':
      return { role: 'user', content: node.data.content };
    case 'assistant/message': {
      const { content, provenance } = node.data;
      // An empty answer anchors usage and provenance in the log; a request cannot hold it.
      return content.length === 0 ? null : { role: 'assistant', content, provenance };
    }
    case 'tool/result': {
      const { callId, content, isError } = node.data;
      return { role: 'user', content: [{ type: 'tool-result', toolCallId: callId, content, isError }] };
    }
    default:
      return null; // a surface type of another package, which says nothing to the model
  }
}
