/** What a request is made of, in tokens, about. */
export interface RequestSizes {
  /** The system prompt, the tools and what stands before the history. */
  header: number;
  /** What each event of the history costs, in order. */
  nodes: readonly { seq: number; tokens: number }[];
  /** What the model holds, where anybody says. */
  contextWindow?: number;
}

/** Tells people what keeps a request from fitting that could not be made shorter, and what to do about it. */
export function whatIsTooBig({ header, nodes, contextWindow }: RequestSizes): string {
  const history = nodes.reduce((sum, { tokens }) => sum + tokens, 0);
  const [largest] = nodes.toSorted((a, b) => b.tokens - a.tokens);
  const room = contextWindow === undefined ? undefined : contextWindow - header;
  return `${culprit()}${contextWindow === undefined ? '' : `, and the model holds ${contextWindow}`}; choose a model that holds more`;

  function culprit(): string {
    if (room !== undefined && room <= 0) return `the system prompt and the tools alone take about ${header} tokens`;
    if (largest && (room === undefined ? largest.tokens > history / 2 : largest.tokens >= room))
      return `event ${largest.seq} alone takes about ${largest.tokens} tokens`;
    return `the system prompt and the tools take about ${header} tokens and the history about ${history}`;
  }
}
