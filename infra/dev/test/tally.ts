/** How many tests passed and failed. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Full names, which say why. */
  readonly skipped?: readonly string[];
  /** What failed, and how its message begins; told last, where a log that is cut still has it. */
  readonly failures?: readonly string[];
}

/** The part of Vitest's JSON report we count. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly ReportedFile[];
}

interface ReportedFile {
  readonly name?: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly ReportedTest[];
}

interface ReportedTest {
  readonly status?: string;
  readonly fullName?: string;
  readonly failureMessages?: readonly string[];
}

/** Adds tallies. */
export function total(tallies: readonly Tally[]): Required<Tally> {
  const sum = (count: (tally: Tally) => number) => tallies.reduce((so, tally) => so + count(tally), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: tallies.flatMap(({ skipped = [] }) => skipped),
    failures: tallies.flatMap(({ failures = [] }) => failures),
  };
}

/** A step that is not Vitest counts as one test. */
export function tallyOfStatus(status: number): Tally {
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Counts a run of Vitest. Whatever fails outside a test (a file that does not load, a set-up, no report) is one too. */
export function tallyOfReport(report: VitestReport | undefined, status: number): Tally {
  if (report === undefined) return { passed: 0, failed: 1, failures: ['no report of the run'] };
  const broken = report.testResults.filter(
    ({ status: file, assertionResults }) => file === 'failed' && assertionResults.length === 0,
  );
  const failed = report.numFailedTests + broken.length;
  const tests = report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file, name: test.fullName ?? 'a test without a name' })),
  );
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: tests.filter((test) => test.status === 'skipped' || test.status === 'pending').map(({ name }) => name),
    failures: [
      ...broken.map(({ name, message }) => described(name, 'the file', message)),
      ...tests
        .filter((test) => test.status === 'failed')
        .map((test) => described(test.file, test.name, test.failureMessages?.[0])),
    ],
  };
}

/** `file: test`, and the first lines of what it said. */
function described(file = 'a file without a name', test: string, message = ''): string {
  const lines = message.split('\n').slice(0, 12);
  return [`${file}: ${test}`, ...lines.map((line) => `  ${line.slice(0, 300)}`)].join('\n').trimEnd();
}
