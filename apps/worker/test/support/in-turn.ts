/** So many are under way at once. */
const AT_ONCE = 40;

/** Does something with each of many, a few at a time; answers what came of them in their order. */
export async function inTurn<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const left = items.map((item, index) => ({ item, index }));
  const results: R[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) results[next.index] = await run(next.item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
