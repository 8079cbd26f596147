/** The p-th percentile (0 to 100) of a sample by the nearest rank; NaN for an empty one. */
export function percentile(sample: readonly number[], p: number): number {
  const sorted = sample.toSorted((one, other) => one - other);
  const rank = Math.ceil((p / 100) * sorted.length);
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1] ?? Number.NaN;
}

/** The middle of a sample; the mean of both middles where there are two. NaN for an empty one. */
export function median(sample: readonly number[]): number {
  const sorted = sample.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? Number.NaN : (upper + lower) / 2;
}

/** The differences between neighbours of a sequence. */
export function intervals(sequence: readonly number[]): number[] {
  return sequence.slice(1).map((value, index) => value - (sequence[index] ?? Number.NaN));
}
