/** The queries of a call, each once; throws for those nobody is asked. */
export function checkQueries(queries: readonly string[], max: number): string[] {
  if (queries.length === 0) throw new Error('queries must contain at least one query');
  if (queries.length > max) throw new Error(`queries must contain at most ${max} queries`);
  if (queries.some((query) => query.trim() === '')) throw new Error('each query must be a non-empty string');
  return [...new Set(queries)];
}
