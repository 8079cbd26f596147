/** How the bench's model answers a session. */
export interface Plan {
  /** How many answers of a turn ask for the tool before the last one, which is text. */
  readonly toolSteps: number;
  readonly tool?: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
  /** The text: so many chunks, so far apart in ms; 0 = all at once. Each chunk carries the time it was sent. */
  readonly chunks: number;
  readonly everyMs: number;
  /** Requests of a turn, from 1, whose answer waits until it is released. */
  readonly holdAt?: readonly number[];
}

/** One request as the model saw it. */
export interface SeenRequest {
  /** Its number within its turn, from 1. */
  readonly request: number;
  /** When its first bytes were there, on the monotonic clock. */
  readonly arrivedAt: number;
  /** Size of its body. */
  readonly bytes: number;
}

/** A chunk's text: the time it is sent at, between marks that make it findable in whatever it is joined with. */
export function stamp(sentAt: number): string {
  return `@${sentAt.toFixed(3)};`;
}

/** The times of all chunks that a text is made of. */
export function stampsIn(text: string): number[] {
  return Array.from(text.matchAll(/@(\d+\.\d{3});/g), ([, at]) => Number(at));
}

/** The number of a request within its turn: one more than the answers since the last user message. */
export function requestNumber(body: string): number {
  // JSON.parse would cost the bench more than the product's own work on a long history. Inside strings the quotes
  // are escaped, so that these words are found only where they are members.
  const turn = body.slice(body.lastIndexOf('"role":"user"'));
  return turn.split('"role":"assistant"').length;
}
