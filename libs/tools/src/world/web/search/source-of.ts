import type { SearchSource } from '../../../kit/index.ts';

interface Found {
  url: string;
  title?: string | null | undefined;
  snippet?: string | null | undefined;
  date?: string | null | undefined;
}

/** A source with what the provider said of it; empty texts count as not said. */
export function sourceOf({ url, title, snippet, date }: Found): SearchSource {
  return { url, ...(title && { title }), ...(snippet && { snippet }), ...(date && { date }) };
}
