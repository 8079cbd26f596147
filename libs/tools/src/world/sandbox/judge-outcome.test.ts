import { describe, expect, test } from 'vitest';
import { judgeOutcome } from './judge-outcome.ts';
import type { RunnerDialect } from './runner.ts';

const bubblewrap: RunnerDialect = {
  denials: ['read-only file system'],
  failure: { texts: ['bwrap: '] },
  informational: [],
};
const NOTE = 'landlock-run: partial enforcement';
const landlock: RunnerDialect = {
  denials: ['permission denied'],
  failure: { texts: ['landlock-run: '], exitCode: 125 },
  informational: [NOTE],
};

const own: RunnerDialect = {
  denials: ['read-only file system', 'permission denied'],
  failure: { texts: ['cell: ', 'box: '] },
  informational: [],
};

describe('what the end of a confined command means', () => {
  test.each<[string, RunnerDialect | undefined, number | null, string, string]>([
    ['success says nothing, whatever it printed', bubblewrap, 0, 'x: Read-only file system', 'ran'],
    ['a signal says nothing', bubblewrap, null, 'x: Read-only file system', 'ran'],
    ['its words and a failure', bubblewrap, 1, 'bash: /x: Read-only file system\n', 'denied'],
    ['in any case of letters', landlock, 2, 'touch: PERMISSION DENIED', 'denied'],
    ["another runner's words", bubblewrap, 1, 'touch: Permission denied', 'ran'],
    ['the status alone', bubblewrap, 30, 'no', 'ran'],
    ['126 and 127 are of the command', bubblewrap, 127, 'bash: nope: command not found', 'ran'],
    ["the runner's line at any failure", bubblewrap, 1, 'bwrap: Creating new namespace failed', 'runner-failed'],
    ['failure outranks denial', bubblewrap, 1, 'bwrap: mount: Read-only file system', 'runner-failed'],
    ['any signature of a configured runner', own, 3, 'box: broken\n', 'runner-failed'],
    ['either denial of a configured runner', own, 1, 'touch: Permission denied', 'denied'],
    ['the note alone', landlock, 1, NOTE, 'ran'],
    ['the note and a denial', landlock, 1, `${NOTE}\nx: Permission denied`, 'denied'],
    ['the note and a fatal line', landlock, 125, `${NOTE}\nlandlock-run: cannot confine`, 'runner-failed'],
    ["the runner's line at another exit", landlock, 1, 'landlock-run: cannot confine', 'ran'],
    ['limits that cannot be set', undefined, 125, 'everturn-limits: the limit of memory', 'runner-failed'],
    ['125 of the command', undefined, 125, 'make: *** failed', 'ran'],
  ])('%s', (_name, dialect, exitCode, stderr, verdict) => {
    expect(judgeOutcome(dialect, { exitCode, stderr })).toBe(verdict);
  });
});
