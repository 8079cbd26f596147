/** A page of many paths, spread over the entries they lie under. */
export interface SampledPaths {
  page: string[];
  /** Entries the page shows, and entries there are. */
  shown: number;
  total: number;
}

/**
 * Takes one path of every top-level entry in turn until the page is full, so that one crowded directory
 * does not hide the others; the page lists entry by entry in the order they were first met.
 * `topLevelOf` names a path's entry.
 */
export function samplePaths(
  paths: readonly string[],
  size: number,
  topLevelOf: (path: string) => string,
): SampledPaths {
  const groups = [...Map.groupBy(paths, topLevelOf).values()].map((members) => ({ members, taken: 0 }));
  for (let left = Math.min(size, paths.length); left > 0;) {
    for (const group of groups) {
      if (left === 0) break;
      if (group.taken === group.members.length) continue;
      group.taken += 1;
      left -= 1;
    }
  }
  return {
    page: groups.flatMap(({ members, taken }) => members.slice(0, taken)),
    shown: groups.filter(({ taken }) => taken > 0).length,
    total: groups.length,
  };
}

/** The first real name of a path below the searched directory; of an absolute path its first name. */
export function topLevelEntry(path: string, below: string | undefined): string {
  const relative = below !== undefined && path.startsWith(`${below}/`) ? path.slice(below.length + 1) : path;
  return relative.split('/').find((segment) => segment !== '' && segment !== '.') ?? relative;
}
