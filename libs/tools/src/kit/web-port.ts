import type { JsonValue } from '@everturn/core/domain';

/** A page as the model reads it. */
export interface WebPage {
  /** Where it was found, after redirects. */
  url: string;
  status: number;
  contentType: string;
  /** `html`: the page could not be turned into Markdown and stands as it was sent. */
  format: 'markdown' | 'text' | 'html';
  text: string;
  truncated: boolean;
}

/** One thing a search found. */
export interface SearchSource {
  url: string;
  title?: string;
  snippet?: string;
  /** As the provider writes it. */
  date?: string;
}

/** What one query brought. */
export interface SearchAnswer {
  /** A text the provider wrote itself. */
  answer?: string;
  /** Best first. */
  sources: SearchSource[];
}

/** What a model of the provider's is asked, without the key; the log is to have it. */
export interface SearchRequest {
  endpoint: string;
  apiVersion: string;
  body: JsonValue;
}

/** The web as tools see it. Every failure is a `ToolError` with a `WEB_…` code. */
export interface WebPort {
  /** Gets one page; every address it dials is checked first, also those of redirects. */
  fetch(input: { url: string; signal: AbortSignal }): Promise<WebPage>;
  /** What `search` would ask a model; `undefined` where it asks none or nobody. Pure. */
  announce(query: string): SearchRequest | undefined;
  /** Asks the deployment's search provider. */
  search(input: { query: string; maxResults: number; signal: AbortSignal }): Promise<SearchAnswer>;
}
