import { describe, expect, test } from 'vitest';
import { stderrSummary } from './hook-events.ts';
import { hookMatcher } from './hook-matcher.ts';
import { mergeHookVerdicts, readHookOutput, type HookEventName, type HookVerdict } from './hook-output.ts';
import type { HookDialect } from './hook-events.ts';

const exited = (exitCode: number, stdout: unknown = '', stderr = '') => ({
  kind: 'exited' as const,
  exitCode,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
});
const read = (dialect: HookDialect, event: HookEventName, run: ReturnType<typeof exited>) =>
  readHookOutput({ dialect, event, run });
const specific = (hookEventName: string | undefined, rest: object) => ({
  hookSpecificOutput: { hookEventName, ...rest },
});

describe('what a program left', () => {
  test.each<[string, ReturnType<typeof exited>, HookVerdict]>([
    ['exit 2 blocks, and stderr says why', exited(2, '', ' no \n'), { decision: 'deny', reason: 'no' }],
    ['exit 2 without a word', exited(2), { decision: 'deny', reason: 'blocked by PreToolUse hook' }],
    ['exit 2 beats what was printed', exited(2, { decision: 'approve' }, 'no'), { decision: 'deny', reason: 'no' }],
    ['any other exit blocks nothing', exited(1, { decision: 'block' }), { decision: 'pass' }],
    ['exit 0 without output', exited(0), { decision: 'pass' }],
    ['exit 0 with plain text', exited(0, 'fine'), { decision: 'pass' }],
    ['exit 0 with broken JSON', exited(0, '{"decision":'), { decision: 'pass' }],
    ['approve', exited(0, { decision: 'approve' }), { decision: 'allow' }],
    ['block', exited(0, { decision: 'block', reason: 'why' }), { decision: 'deny', reason: 'why' }],
    ['a decision nobody knows', exited(0, { decision: 'deny', reason: 5 }), { decision: 'pass' }],
    [
      'the permission decision overrides the general one',
      exited(0, { decision: 'block', ...specific('PreToolUse', { permissionDecision: 'allow' }) }),
      { decision: 'allow' },
    ],
    [
      'a refusal without a reason',
      exited(0, specific('PreToolUse', { permissionDecision: 'deny' })),
      { decision: 'deny', reason: 'blocked by PreToolUse hook' },
    ],
    [
      'a question',
      exited(0, specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' })),
      { decision: 'ask', reason: 'sure?' },
    ],
    [
      'what is said of another event counts for nothing, the rest does',
      exited(0, { decision: 'block', reason: 'general', ...specific('Stop', { permissionDecision: 'allow' }) }),
      { decision: 'deny', reason: 'general' },
    ],
    [
      'nor what is said of none',
      exited(0, specific(undefined, { permissionDecision: 'deny', additionalContext: 'x' })),
      { decision: 'pass' },
    ],
    ['wanting the end is noted only', exited(0, { continue: false, stopReason: 'x' }), { decision: 'stop' }],
    [
      'other input is not honoured',
      exited(0, specific('PreToolUse', { updatedInput: { a: 1 }, permissionDecision: 'allow' })),
      { decision: 'allow' },
    ],
  ])('claude: %s', (_what, run, verdict) => {
    expect(read('claude', 'PreToolUse', run)).toEqual(verdict);
  });

  test.each<[HookDialect, HookEventName, unknown, HookVerdict]>([
    ['codex', 'PreToolUse', specific('PreToolUse', { permissionDecision: 'ask' }), { decision: 'pass' }],
    ['codex', 'PreToolUse', specific('PreToolUse', { permissionDecision: 'allow' }), { decision: 'pass' }],
    [
      'codex',
      'PreToolUse',
      specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      { decision: 'deny', reason: 'no' },
    ],
    ['codex', 'PostToolUse', { decision: 'block', reason: 'no' }, { decision: 'deny', reason: 'no' }],
    ['codex', 'SessionStart', 'plain\n', { decision: 'pass', context: 'plain' }],
    ['codex', 'UserPromptSubmit', 'plain', { decision: 'pass', context: 'plain' }],
    ['codex', 'PostToolUse', 'plain', { decision: 'pass' }],
    ['claude', 'UserPromptSubmit', 'plain', { decision: 'pass' }],
    [
      'claude',
      'UserPromptSubmit',
      specific('UserPromptSubmit', { additionalContext: 'know this' }),
      { decision: 'pass', context: 'know this' },
    ],
    ['claude', 'PostToolUse', specific('PreToolUse', { additionalContext: 'x' }), { decision: 'pass' }],
    // Only calls are permitted.
    ['claude', 'Stop', specific('Stop', { permissionDecision: 'deny' }), { decision: 'pass' }],
  ])('%s %s %j', (dialect, event, output, verdict) => {
    expect(read(dialect, event, exited(0, output))).toEqual(verdict);
  });

  test('one that failed says nothing', () => {
    const run = { kind: 'failed' as const, why: 'timed out' };
    expect(readHookOutput({ dialect: 'claude', event: 'Stop', run })).toEqual({ decision: 'pass' });
  });
});

describe('several hooks', () => {
  const allow: HookVerdict = { decision: 'allow' };
  const ask: HookVerdict = { decision: 'ask', reason: 'sure?' };
  const deny = (reason: string): HookVerdict => ({ decision: 'deny', reason });

  test.each<[HookVerdict[], object]>([
    [[], { decision: 'pass', contexts: [] }],
    [[allow, deny('a'), ask, deny('b')], { decision: 'deny', reason: 'a\n\nb', contexts: [] }],
    [[allow, ask], { decision: 'ask', reason: 'sure?', contexts: [] }],
    [[{ decision: 'stop' }, allow], { decision: 'allow', contexts: [] }],
    [
      [
        { decision: 'pass', context: 'x' },
        { decision: 'stop', context: 'y' },
      ],
      { decision: 'pass', contexts: ['x', 'y'] },
    ],
  ])('%j', (verdicts, merged) => expect(mergeHookVerdicts(verdicts)).toEqual(merged));
});

test.each<[HookDialect, string | undefined, string, boolean]>([
  ['claude', undefined, 'bash', true],
  ['claude', '', 'bash', true],
  ['claude', '*', 'bash', true],
  ['codex', '*', 'bash', true],
  ['claude', 'write|bash', 'bash', true],
  ['claude', 'bas', 'bash', false],
  ['codex', 'bas', 'bash', true],
  ['codex', '^write$|^bash$', 'bash', true],
  ['claude', 'mcp__.*', 'mcp__files__read', true],
  ['claude', '^ba', 'bash', true],
  ['claude', 'b.s$', 'bash', false],
  ['http', 'bas', 'bash', false],
])('a matcher of %s: %j and %s', (dialect, matcher, subject, matches) => {
  expect(hookMatcher(dialect, matcher)(subject)).toBe(matches);
});

test('a matcher that is no expression is refused', () => {
  expect(() => hookMatcher('claude', '(')).toThrow(SyntaxError);
});

test('what a hook complained is cut', () => {
  expect([stderrSummary(' \n'), stderrSummary(' a '), stderrSummary('x'.repeat(501))]).toEqual([
    undefined,
    'a',
    `${'x'.repeat(500)}…`,
  ]);
});
