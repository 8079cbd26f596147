import type { SearchAnswer, SearchRequest, ToolError } from '../../../kit/index.ts';

/** One query to a provider; `signal` ends it. */
export interface ProviderQuery {
  query: string;
  maxResults: number;
  signal: AbortSignal;
}

/** One way to search the web. */
export interface SearchProvider {
  /** What the deployment chooses it by. */
  readonly id: string;
  /** What is missing before it can be asked, as the error a call gets; `undefined` when nothing is. */
  missing(): ToolError | undefined;
  /** What it asks a model for a query, where that is how it searches. */
  announce?(query: string): SearchRequest;
  /** Throws `ToolError`; a query that found nothing is no error. */
  search(query: ProviderQuery): Promise<SearchAnswer>;
}
