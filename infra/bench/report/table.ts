import pc from 'picocolors';
import { assertNever } from '@everturn/core/domain';
import type { Figure, Unit } from '../benchmark.ts';
import type { BenchmarkResult } from './results.ts';
import { ratioOf, type Verdict, verdictOf } from './verdict.ts';

const header = ['', 'figure', 'floor', 'ratio', 'target', ''];

/** One benchmark as a table, with its notes below it. */
export function tableOf({ title, seconds, figures, error }: BenchmarkResult): string {
  const rows = [header, ...figures.map(rowOf)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row, index) => {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    const line = `  ${cells.join('  ')}`.trimEnd();
    const figure = figures[index - 1];
    return figure ? coloured(line, verdictOf(figure)) : pc.dim(line);
  });
  const notes = figures.flatMap(({ name, note }) => (note === undefined ? [] : [pc.dim(indent(`${name}: ${note}`))]));
  const failed = error === undefined ? [] : [pc.red(indent(`could not measure: ${error}`))];
  return [
    `${pc.bold(title)} ${pc.dim(`(${seconds.toFixed(0)} s)`)}`,
    ...(figures.length > 0 ? lines : []),
    ...notes,
    ...failed,
  ].join('\n');
}

function rowOf(figure: Figure): string[] {
  const { name, unit, value, floor, target } = figure;
  const ratio = ratioOf(figure);
  const limit = target && (target.of === 'ratio' ? `≤ ${target.atMost} ×` : `≤ ${quantity(target.atMost, unit)}`);
  const verdict = verdictOf(figure);
  return [
    name,
    quantity(value, unit),
    floor === undefined ? '' : quantity(floor, unit),
    ratio === undefined ? '' : ratio.toFixed(2),
    limit ?? '',
    verdict === 'no target' ? '' : verdict === 'missed' ? 'MISSED' : verdict,
  ];
}

/** A number with its unit, as people read it. */
export function quantity(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return '—';
  switch (unit) {
    case 'ms':
      return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
    case 'bytes':
      return value < 1e6 ? `${(value / 1e3).toFixed(1)} kB` : `${(value / 1e6).toFixed(1)} MB`;
    case 'count':
      return String(Math.round(value * 100) / 100);
    default:
      return assertNever(unit);
  }
}

function coloured(line: string, verdict: Verdict): string {
  if (verdict === 'missed' || verdict === 'not measured') return pc.yellow(line);
  return verdict === 'met' ? pc.green(line) : line;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
