/** How many tests passed and failed. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** The part of Vitest's JSON report we count. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** Adds tallies. */
export function total(tallies: readonly Tally[]): Tally {
  return tallies.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}

/** A step that is not Vitest counts as one test. */
export function tallyOfStatus(status: number): Tally {
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Counts a run of Vitest. Whatever fails outside a test (a file that does not load, a set-up, no report) is one too. */
export function tallyOfReport(report: VitestReport | undefined, status: number): Tally {
  if (report === undefined) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    ({ status: file, assertionResults }) => file === 'failed' && assertionResults.length === 0,
  );
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
}
