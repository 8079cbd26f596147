/** How many tests passed and failed. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Full names, which say why. */
  readonly skipped?: readonly string[];
}

/** The part of Vitest's JSON report we count. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly ReportedTest[] }[];
}

interface ReportedTest {
  readonly status?: string;
  readonly fullName?: string;
}

/** Adds tallies. */
export function total(tallies: readonly Tally[]): Required<Tally> {
  const sum = (count: (tally: Tally) => number) => tallies.reduce((so, tally) => so + count(tally), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: tallies.flatMap(({ skipped = [] }) => skipped),
  };
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
  const skipped = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((test) => test.status === 'skipped' || test.status === 'pending')
    .map(({ fullName }) => fullName ?? 'a test without a name');
  return { passed: report.numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed, skipped };
}
