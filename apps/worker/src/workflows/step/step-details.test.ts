import { expect, test } from 'vitest';
import type { RequestedCall, ToolOutcome } from '../../contract/index.ts';
import type { CallRun } from './call-run.ts';
import { stepDetails } from './step-details.ts';

const call = (index: number, pattern: string) =>
  ({ index, callId: `c${index}`, name: 'glob', arguments: JSON.stringify({ pattern }) }) as RequestedCall;
const ended = (isError: boolean): NonNullable<CallRun['end']> => ({
  kind: 'outcome',
  outcome: { content: [], isError } as ToolOutcome,
  final: false,
});
const step = { session: 's', turn: 1, step: 2 };

test('each call is shown with how far it is', () => {
  const runs: CallRun[] = [
    { call: call(0, '**/*.ts'), state: 'committed', end: ended(false) },
    { call: call(1, 'b'), state: 'finished', end: ended(true) },
    { call: call(2, 'c'), state: 'running' },
    { call: call(3, 'd'), state: 'waiting' },
  ];
  expect(stepDetails({ ...step, runs, question: undefined }).split('\n')).toEqual([
    '**Step 2 of turn 1**',
    '',
    '- done: `glob: **/*.ts`',
    '- failed: `glob: b`',
    '- runs: `glob: c`',
    '- not started: `glob: d`',
  ]);
});

test('a question says how it is answered', () => {
  const runs: CallRun[] = [{ call: call(0, 'a'), state: 'running' }];
  const question = { kind: 'approval', id: 't1.s2.c0', call: call(0, 'a'), reason: 'because of\n`x`' } as const;
  expect(stepDetails({ ...step, runs, question }).split('\n')).toEqual([
    '**Step 2 of turn 1**',
    '',
    '- not allowed yet: `glob: a`',
    '',
    "**Waiting for approval** of `glob: a`: `because of 'x'`",
    '',
    'Answer with `POST /v1/sessions/s/approvals/t1.s2.c0` and `{"decision":"allow"}` or `"deny"`.',
  ]);
});

test('questions to a person stand there with their options', () => {
  const runs: CallRun[] = [{ call: call(0, 'a'), state: 'running' }];
  const questions = [{ id: 'color', question: 'Which?', options: [{ label: 'red' }] }];
  const question = { kind: 'question', id: 't1.s2.c0.questions', call: call(0, 'a'), questions } as const;
  expect(
    stepDetails({ ...step, runs, question })
      .split('\n')
      .slice(3),
  ).toEqual([
    '',
    '**Waiting for answers**',
    '',
    '- `color`: `Which?`',
    '  - `red`',
    '',
    'Answer with `POST /v1/sessions/s/questions/t1.s2.c0.questions/answer` and `{"answers":[{"id":…,"selected":[…]}]}`.',
  ]);
});
