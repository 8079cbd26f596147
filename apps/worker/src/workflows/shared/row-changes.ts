import type { RowChanges } from '../../contract/index.ts';

/** Later values win; lists grow, so that nothing is lost when a commit has to be repeated. */
export function mergeRows(earlier: RowChanges | undefined, later: RowChanges | undefined): RowChanges | undefined {
  if (!earlier || !later) return later ?? earlier;
  return {
    ...earlier,
    ...later,
    ...joined('prompts', earlier, later),
    ...joined('interactions', earlier, later),
    ...joined('requests', earlier, later),
  };
}

function joined<K extends 'prompts' | 'interactions' | 'requests'>(key: K, a: RowChanges, b: RowChanges) {
  const list = [...(a[key] ?? []), ...(b[key] ?? [])];
  return list.length === 0 ? {} : { [key]: list };
}
