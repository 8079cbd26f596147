/** How the bench's model answers a session. */
export interface Plan {
  /** How many answers of a turn ask for the tool before the last one, which is text. */
  readonly toolSteps: number;
  readonly tool?: PlannedCall;
  /** The text: so many chunks, so far apart in ms; 0 = all at once. Each chunk carries the time it was sent. */
  readonly chunks: number;
  readonly everyMs: number;
  /** Requests of a turn, from 1, whose answer waits until it is released. */
  readonly holdAt?: readonly number[];
}

/** The call that every answer but the last asks for. */
export interface PlannedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The argument that holds the number of the request: an agent that made the very same call each time would be told. */
  readonly numbered?: string;
}

/** The call as the answer to the n-th request of a turn asks for it. */
export function numberedArguments({ arguments: given, numbered }: PlannedCall, request: number): object {
  return numbered === undefined ? given : { ...given, [numbered]: request };
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
