/** Rows as columns two spaces apart; the last column is not padded. Cells must be inert. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, [...cell].length)));
  return rows.map((row) =>
    row
      .map((cell, at) => pad(cell, at, row, widths))
      .join('  ')
      .trimEnd(),
  );
}

function pad(cell: string, at: number, row: readonly string[], widths: readonly number[]): string {
  if (at === row.length - 1) return cell;
  return cell + ' '.repeat((widths[at] ?? 0) - [...cell].length);
}
