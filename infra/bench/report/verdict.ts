import type { Figure } from '../benchmark.ts';

/** How a figure stands to its target. */
export type Verdict = 'met' | 'missed' | 'no target' | 'not measured';

/** Value by floor; undefined without a floor. */
export function ratioOf({ value, floor }: Figure): number | undefined {
  return floor === undefined ? undefined : value / floor;
}

/** Whether the target is met. A figure that this machine could not measure meets nothing. */
export function verdictOf(figure: Figure): Verdict {
  const { target, value } = figure;
  if (Number.isNaN(value)) return 'not measured';
  if (!target) return 'no target';
  const judged = target.of === 'value' ? value : ratioOf(figure);
  if (judged === undefined || Number.isNaN(judged)) return 'not measured';
  return judged <= target.atMost ? 'met' : 'missed';
}
