import type { TokenUsage } from './chunks.ts';

/** What a model costs, in US dollars per million tokens; what has no price of its own costs what other input does. */
export interface ModelPrice {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** Fractions of a dollar below this are noise of the arithmetic. */
const PRECISION = 1e10;

/** Sums in dollars without the noise that adding fractions makes. */
export const roundedUsd = (dollars: number): number => Math.round(dollars * PRECISION) / PRECISION;

/** What a call cost, in US dollars. Reasoning is a part of the output, and costs what it does. */
export function costOf(usage: TokenUsage, price: ModelPrice): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const millions =
    inputTokens * price.input +
    outputTokens * price.output +
    cacheReadTokens * (price.cacheRead ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input);
  return roundedUsd(millions / 1_000_000);
}
