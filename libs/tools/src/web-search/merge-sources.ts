import type { SearchSource } from '../kit/index.ts';

export interface MergedSources {
  sources: SearchSource[];
  /** There were more than `max`. */
  truncated: boolean;
}

/** Takes the best of every list, then the second of every list, and so on; a URL that came before is left out. */
export function mergeSources(lists: readonly (readonly SearchSource[])[], max: number): MergedSources {
  const ranks = Math.max(0, ...lists.map(({ length }) => length));
  const found = new Map<string, SearchSource>();
  for (let rank = 0; rank < ranks; rank++) {
    for (const list of lists) {
      const source = list[rank];
      if (source && !found.has(source.url)) found.set(source.url, source);
    }
  }
  return { sources: [...found.values()].slice(0, max), truncated: found.size > max };
}
