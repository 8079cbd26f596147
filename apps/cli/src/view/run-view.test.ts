import type { SessionEvent, StreamChunk } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { plain } from '../terminal/style.ts';
import { Screen } from '../terminal/screen.ts';
import { emptyOutcome, foldOutcome } from './run-outcome.ts';
import { RunView } from './run-view.ts';
import { ownModelHint, summary } from './summary.ts';
import { eventLine } from './event-line.ts';

const EVIL = '\u001b]52;c;cHduZWQ=\u0007\u001b]8;;http://evil/\u0007\u001b[2J\u202e';
const INERT = '␛]52;c;cHduZWQ=␇␛]8;;http://evil/␇␛[2J<U+202E>';

let seq = 0;
const event = (type: string, data: object, time = 1_000 + seq): SessionEvent =>
  ({ type, seq: seq++, time, data }) as unknown as SessionEvent;
const at = { turn: 1, step: 1 };
const chunk = (piece: StreamChunk, step = 1) => event('assistant/chunk', { turn: 1, step, chunk: piece });
const text = (value: string, step = 1, index = 0) => chunk({ type: 'text-delta', index, text: value }, step);
const call = (callId: string, name: string, args: object, time: number) =>
  event('tool/call', { ...at, callId, name, arguments: JSON.stringify(args) }, time);
const result = (callId: string, output: string, more: object, time: number) =>
  event('tool/result', { ...at, callId, content: [{ type: 'text', text: output }], isError: false, ...more }, time);
const header = { header: { config: { provider: 'scripted', model: 'scripted-demo' } }, reason: 'initial' };
const message = (said: string, step = 1) =>
  event('assistant/message', {
    turn: 1,
    step,
    content: [{ type: 'text', text: said }],
    provenance: { provider: 'scripted', model: 'scripted-demo' },
    usage: { inputTokens: 1_000, outputTokens: 20, cacheReadTokens: 200, reasoningTokens: 5 },
  });

function shown(events: SessionEvent[]): string {
  let written = '';
  const screen = new Screen({ sink: { write: (piece) => (written += piece) }, style: plain });
  const view = new RunView({ screen, workspace: '/w' });
  for (const one of events) view.show(one);
  screen.close();
  return written;
}

const turn: SessionEvent[] = [
  event('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } }, 1_000),
  event('step/start', at),
  event('request/header', header),
  chunk({ type: 'block-start', index: 0, blockType: 'reasoning' }),
  chunk({ type: 'reasoning-delta', index: 0, text: 'Let me ' }),
  chunk({ type: 'reasoning-delta', index: 0, text: 'see.' }),
  text('\n\nI look', 1, 1),
  text(` at ${EVIL.slice(0, 5)}`, 1, 1),
  text(`${EVIL.slice(5)}it\r`, 1, 1),
  text('\nnow.', 1, 1),
  chunk({ type: 'tool-call-delta', index: 2, id: 'c1' as never, name: 'bash', argumentsDelta: '{' }),
  message('I look at it\nnow.'),
  call('c1', 'bash', { command: 'node --test', description: 'Run the tests' }, 2_000),
  call('c2', 'read', { file_path: '/w/src/a.ts' }, 2_000),
  call('c3', 'nope', { x: EVIL }, 2_000),
  result('c1', 'one\ntwo\n[exit code: 1]', {}, 3_500),
  result('c2', 'a\nb\nc', {}, 2_010),
  result('c3', `Error: unknown tool ${EVIL}`, { isError: true }, 2_020),
  event('step/end', at),
  event('llm/retry', {
    turn: 1,
    step: 1,
    retry: 1,
    maxRetries: 2,
    delayMs: 500,
    failure: { code: 'RATE_LIMIT', status: 429, message: `slow ${EVIL}` },
  }),
  event('step/start', { turn: 1, step: 2 }),
  event('some/plugin', { text: EVIL }),
  event('todo/write', { todos: [] }),
  message('Done without chunks.', 2),
  event('step/end', { turn: 1, step: 2 }),
  event('turn/end', { turn: 1, reason: { kind: 'completed' } }, 65_000),
];

test('a turn shows as it happens, and nothing in it acts on the terminal', () => {
  expect(shown(turn)).toBe(
    [
      '  model   scripted-demo by scripted',
      '          no AI: a local HTTP server that answers from a script; tools, files and tests are real',
      '',
      'Let me see.',
      '',
      `I look at ${INERT}it`,
      'now.',
      '  ▸ bash  Run the tests · node --test',
      '  ▸ read  src/a.ts',
      `  ▸ nope  {"x":"\\u001b]52;c;cHduZWQ=\\u0007\\u001b]8;;http://evil/\\u0007\\u001b[2J<U+202E>"}`,
      '  ! bash  Run the tests · node --test  → exit 1, 3 lines  1.5 s',
      '  ✓ read  src/a.ts  → 3 lines  10 ms',
      `  ✗ nope  {"x":"\\u001b]52;c;cHduZWQ=\\u0007\\u001b]8;;http://evil/\\u0007\\u001b[2J<U+202E>"}  → Error: unknown tool ${INERT}  20 ms`,
      `  ↻ RATE_LIMIT (HTTP 429): slow ${INERT}`,
      '    retry 1 of 2 in 500 ms',
      '',
      'Done without chunks.',
      '',
    ].join('\n'),
  );
});

test('what a new file came to is told without its envelope', () => {
  const events = [
    call('w', 'write', { file_path: 'a.md', content: 'x' }, 1_000),
    result('w', '<path>a.md</path>\n<type>file</type>\n<content>\nCreated file\n</content>', {}, 1_010),
  ];
  expect(shown(events)).toBe('  ▸ write  a.md\n  ✓ write  a.md  → Created file  10 ms\n');
});

test('a turn that did not complete says why', () => {
  const reason = { kind: 'error', step: 3, failure: { code: 'AUTH', message: 'no\nkey' } };
  expect(shown([text('half'), event('turn/end', { turn: 1, reason })])).toBe(
    'half\n  ✗ failed in step 3: AUTH: no key\n',
  );
  expect(shown([event('turn/end', { turn: 1, reason: { kind: 'aborted' } })])).toBe('  ✗ cancelled\n');
});

test('the outcome adds up, and the summary tells it', () => {
  const outcome = turn.reduce(foldOutcome, emptyOutcome());
  expect(outcome).toEqual({
    turn: 1,
    reason: { kind: 'completed' },
    answer: 'Done without chunks.',
    provider: 'scripted',
    model: 'scripted-demo',
    steps: 2,
    toolCalls: 3,
    retries: 1,
    usage: { inputTokens: 2_000, outputTokens: 40, cacheReadTokens: 400, cacheWriteTokens: 0, reasoningTokens: 10 },
    startedAt: 1_000,
    endedAt: 65_000,
  });
  const changes = [
    { path: 'REPORT.md', kind: 'added' as const, added: 2, removed: 0, patch: ['@@ -0,0 +1,2 @@', '+a', '+b'] },
    {
      path: `src/${EVIL}.ts`,
      kind: 'changed' as const,
      added: 1,
      removed: 1,
      patch: ['@@ -1,1 +1,1 @@', '-x', `+${EVIL}`],
    },
    { path: 'pic.png', kind: 'removed' as const },
  ];
  const lines = summary({ outcome, session: 's', style: plain, changes, workspace: '/w', temporalUrl: 'http://ui/x' });
  expect([...lines, ...ownModelHint(plain)]).toEqual([
    '─'.repeat(60),
    '  result     completed',
    '  work       2 steps, 3 tool calls, 1 retry, 1 min 4 s',
    '  tokens     2,400 in (400 by cache), 40 out (10 reasoning)',
    '  files      1 added, 1 changed, 1 removed',
    '    A REPORT.md  +2 −0',
    `    M src/${INERT}.ts  +1 −1`,
    '      @@ -1,1 +1,1 @@',
    '      -x',
    `      +${INERT}`,
    '    D pic.png  not text, or too large',
    '  workspace  /w',
    '  session    s',
    '  Temporal   http://ui/x',
    '',
    '  The same with your own model (any OpenAI-compatible endpoint):',
    '    OPENAI_BASE_URL=… OPENAI_API_KEY=… npm run up -- "your prompt"',
  ]);
});

test('each event is one inert line', () => {
  for (const one of turn) expect(eventLine(one, plain)).not.toMatch(/\p{Cc}|\u202e/u);
  expect(eventLine({ ...turn[0]!, seq: 7 }, plain)).toBe('     7  00:00:01.000  turn/start         turn 1, by message');
});
