import { expect, test } from 'vitest';
import { tallyOfReport, tallyOfStatus, total } from './tally.ts';

test('adds up', () => {
  expect(total([tallyOfStatus(0), tallyOfStatus(2), { passed: 10, failed: 3 }])).toEqual({ passed: 11, failed: 4 });
  expect(total([])).toEqual({ passed: 0, failed: 0 });
});

test('counts what fails outside a test', () => {
  const file = (status: string, tests: number) => ({ status, assertionResults: Array.from({ length: tests }) });
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    testResults: [file('failed', 6), file('failed', 0), file('passed', 0)],
  };
  expect(tallyOfReport(report, 1)).toEqual({ passed: 5, failed: 2 });
  expect(tallyOfReport({ numPassedTests: 5, numFailedTests: 0, testResults: [] }, 1)).toEqual({ passed: 5, failed: 1 });
  expect(tallyOfReport({ numPassedTests: 5, numFailedTests: 0, testResults: [] }, 0)).toEqual({ passed: 5, failed: 0 });
  expect(tallyOfReport(undefined, 0)).toEqual({ passed: 0, failed: 1 });
});
