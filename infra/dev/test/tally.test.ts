import { expect, test } from 'vitest';
import { tallyOfReport, tallyOfStatus, total } from './tally.ts';

test('adds up', () => {
  expect(total([tallyOfStatus(0), tallyOfStatus(2), { passed: 10, failed: 3 }])).toEqual({
    passed: 11,
    failed: 4,
    skipped: [],
    failures: [],
  });
  expect(total([])).toEqual({ passed: 0, failed: 0, skipped: [], failures: [] });
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
  const quiet = { numPassedTests: 5, numFailedTests: 0, testResults: [] };
  expect(tallyOfReport(report, 1)).toMatchObject({ passed: 5, failed: 2, skipped: [] });
  expect(tallyOfReport(quiet, 1)).toMatchObject({ passed: 5, failed: 1 });
  expect(tallyOfReport(quiet, 0)).toEqual({ passed: 5, failed: 0, skipped: [], failures: [] });
  expect(tallyOfReport(undefined, 0)).toMatchObject({ passed: 0, failed: 1, failures: ['no report of the run'] });
});

test('names what failed and how its message begins, so that the end of a log tells it', () => {
  const message = ['expected 1 to be 2', ...Array.from({ length: 40 }, (_, line) => `at ${line}`)].join('\n');
  const testResults = [
    { name: 'broken.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    {
      name: 'a.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'one' },
        { status: 'failed', fullName: 'two', failureMessages: [message] },
      ],
    },
  ];
  const { failures } = tallyOfReport({ numPassedTests: 1, numFailedTests: 1, testResults }, 1);
  expect(failures).toEqual([
    'broken.test.ts: the file\n  Cannot find module',
    expect.stringMatching(/^a\.test\.ts: two\n {2}expected 1 to be 2\n(.*\n){10}.*at 10$/),
  ]);
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
    failures: [],
  });
});
