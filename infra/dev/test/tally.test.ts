import { expect, test } from 'vitest';
import { tallyOfReport, tallyOfStatus, total } from './tally.ts';

test('adds up', () => {
  expect(total([tallyOfStatus(0), tallyOfStatus(2), { passed: 10, failed: 3 }])).toEqual({
    passed: 11,
    failed: 4,
    skipped: [],
  });
  expect(total([])).toEqual({ passed: 0, failed: 0, skipped: [] });
});

test('counts what fails outside a test', () => {
  const file = (status: string, tests: number) => ({
    status,
    assertionResults: Array.from({ length: tests }, () => ({})),
  });
  const report = {
    numPassedTests: 5,
    numFailedTests: 1,
    testResults: [file('failed', 6), file('failed', 0), file('passed', 0)],
  };
  expect(tallyOfReport(report, 1)).toEqual({ passed: 5, failed: 2, skipped: [] });
  expect(tallyOfReport({ numPassedTests: 5, numFailedTests: 0, testResults: [] }, 1)).toEqual({
    passed: 5,
    failed: 1,
    skipped: [],
  });
  expect(tallyOfReport({ numPassedTests: 5, numFailedTests: 0, testResults: [] }, 0)).toEqual({
    passed: 5,
    failed: 0,
    skipped: [],
  });
  expect(tallyOfReport(undefined, 0)).toEqual({ passed: 0, failed: 1 });
});

test('names what was skipped, so that nothing is left out in silence', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'a' },
    { status: 'skipped', fullName: 'b [skipped: nginx is missing]' },
    { status: 'pending', fullName: 'c' },
  ];
  const report = { numPassedTests: 1, numFailedTests: 0, testResults: [{ status: 'passed', assertionResults }] };
  const tally = tallyOfReport(report, 0);
  expect(total([tally, tallyOfStatus(0)])).toEqual({
    passed: 2,
    failed: 0,
    skipped: ['b [skipped: nginx is missing]', 'c'],
  });
});
