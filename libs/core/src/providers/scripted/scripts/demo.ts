import { conversation, Unexpected } from '../conversation.ts';
import type { Script, ScriptAnswer } from '../script.ts';
import { fixes } from './demo-fixes.ts';
import { expectMatch, linesOf, pathsOf, resultOf, testRunOf } from './demo-results.ts';
import type { TestRun } from './demo-results.ts';
import type { StepView } from '../request-view.ts';

type Status = 'pending' | 'in_progress' | 'completed';

const PLAN = [
  'Find out what the project does',
  'Run its tests',
  'Fix what fails',
  'Run the tests again',
  'Write REPORT.md',
];
const RUN_TESTS = { command: 'node --test', description: 'Run the tests', timeoutMs: 60_000 };
const PACE_MS = 25;

/** Finds and fixes the bugs of the demo project, and stops with a reason when a tool does not do its part. */
export const demo: Script = (request) => {
  if (request.purpose === 'session-title') return { text: 'Fix the failing tests' };
  return { chunkDelayMs: PACE_MS, ...story(request) };
};

const story = conversation(function* () {
  const planned = yield say('I will look at the project first, then run its tests and fix what fails.', todos(0));
  expectMatch(
    'todo_write',
    resultOf(planned, 'todo_write'),
    /^Updated todo list: \d+ pending, 1 in progress, 0 completed/,
  );

  const listed = yield say('', call('glob', { pattern: '**/*.ts' }));
  if (!fixes.every(({ file }) => resultOf(listed, 'glob').includes(file))) {
    return { text: notTheDemo(resultOf(listed, 'glob')) };
  }
  const files = pathsOf(listed);
  const found = yield say('', call('grep', { pattern: '^export function', include: '*.ts' }));
  expectMatch('grep', resultOf(found, 'grep'), /^Found \d+ matches?/);

  const sources = fixes.map((fix) => files.find((file) => file.endsWith(fix.file)) ?? missing(fix.file, files));
  const read = yield say(
    'These three hold the logic; I read them together.',
    ...sources.map((file) => call('read', { file_path: file })),
  );
  const contents = sources.map((_, n) => linesOf(read, n));

  yield say('', todos(1));
  const before = testRunOf(yield say('Now the tests as they are.', call('bash', RUN_TESTS)));
  if (before.failed === 0) throw new Unexpected('the tests pass already; the demo needs a fresh copy of its project.');

  yield say(`${before.failed} of ${before.failed + before.passed} tests fail: ${before.failing.join('; ')}.`, todos(2));
  const edits = fixes.map((fix, n) => {
    const line = contents[n]?.find((candidate) => fix.wrong.test(candidate));
    if (line === undefined) throw new Unexpected(`the wrong line of ${fix.file} is not in what \`read\` showed.`);
    return { file_path: sources[n] ?? fix.file, old_string: line, new_string: fix.cure(line) };
  });
  const reasons = fixes.map((fix) => `In ${fix.file} ${fix.cause}.`).join(' ');
  const edited = yield say(reasons, ...edits.map((edit) => call('edit', edit)));
  const refused = edits.filter((_, n) => resultOf(edited, 'edit', n).endsWith('read the file, then retry'));
  if (refused.length > 0) {
    const again = refused.map(({ file_path }) => call('read', { file_path }));
    yield say('A worker that was restarted knows nothing of what was read before, so I look again.', ...again);
    expectEdited(yield say('', ...refused.map((edit) => call('edit', edit))), refused.length);
  } else expectEdited(edited, edits.length);

  yield say('', todos(3));
  const after = testRunOf(yield say('The tests again.', call('bash', RUN_TESTS)));
  const total = before.passed + before.failed;
  if (after.failed > 0 || after.passed !== total) {
    throw new Unexpected(
      `${after.failed} tests still fail and ${after.passed} of ${total} pass: ${after.failing.join('; ')}.`,
    );
  }

  yield say('', todos(4));
  const written = yield say('', call('write', { file_path: 'REPORT.md', content: report(before, after, edits) }));
  expectMatch('write', resultOf(written, 'write'), /(Created|Updated) file/);
  yield say('', todos(5));
  return {
    text:
      `All ${after.passed} tests pass; ${before.failed} of them failed before.\n\n` +
      fixes.map((fix) => `- \`${fix.file}\`: ${fix.cause}.\n`).join('') +
      '\nEach fix is one line. What I found and changed stands in `REPORT.md`.\n\n' +
      '(I am a script and no model: I answered over the same wire, and the tools that ran were real.)',
  };
});

function expectEdited(step: StepView, count: number): void {
  for (let n = 0; n < count; n++) expectMatch('edit', resultOf(step, 'edit', n), /has been updated successfully\.$/);
}

function say(text: string, ...toolCalls: NonNullable<ScriptAnswer['toolCalls']>): ScriptAnswer {
  return text ? { text, toolCalls } : { toolCalls };
}

function call(name: string, args: Record<string, string | number>): { name: string; arguments: typeof args } {
  return { name, arguments: args };
}

function todos(done: number): { name: string; arguments: { todos: { content: string; status: Status }[] } } {
  const status = (n: number): Status => (n < done ? 'completed' : n === done ? 'in_progress' : 'pending');
  return { name: 'todo_write', arguments: { todos: PLAN.map((content, n) => ({ content, status: status(n) })) } };
}

function notTheDemo(listed: string): string {
  return (
    'I am a script and no model. All I can do is repair the demo project, and this folder is no copy of it: ' +
    `looking for **/*.ts, \`glob\` answered\n\n${listed.slice(0, 600)}\n\n` +
    'For the demo: `npm run everturn -- run --demo`. For anything else set OPENAI_BASE_URL, OPENAI_API_KEY and ' +
    'OPENAI_MODEL, and start again.'
  );
}

function missing(file: string, files: string[]): never {
  throw new Unexpected(`\`glob\` does not list ${file}, only ${files.slice(0, 20).join(', ')}.`);
}

function report(before: TestRun, after: TestRun, edits: { old_string: string; new_string: string }[]): string {
  const changes = fixes.map((fix, n) => {
    const { old_string, new_string } = edits[n] ?? { old_string: '', new_string: '' };
    return `## ${fix.file}\n\nCause: ${fix.cause}.\n\n\`\`\`diff\n-${old_string}\n+${new_string}\n\`\`\`\n`;
  });
  const failing = before.failing.map((name) => `- ${name}\n`).join('');
  return [
    '# What was wrong, and what was changed\n',
    `Before: ${before.passed} tests passed, ${before.failed} failed:\n\n${failing}`,
    `After: ${after.passed} tests pass, ${after.failed} fail.\n`,
    ...changes,
  ].join('\n');
}
