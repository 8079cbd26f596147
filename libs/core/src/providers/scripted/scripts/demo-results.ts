import { Unexpected } from '../conversation.ts';
import type { ResultView, StepView } from '../request-view.ts';

/** The n-th result of a step, which must be this tool's. */
export function resultOf(step: StepView, tool: string, n = 0): string {
  const result: ResultView | undefined = step.results[n];
  if (result?.tool === tool) return result.content;
  throw new Unexpected(`I called ${tool} and got ${result ? `a result of ${result.tool}` : 'no result'}.`);
}

/** The parts of a result that must look like this. */
export function expectMatch(tool: string, content: string, pattern: RegExp): RegExpMatchArray {
  const match = pattern.exec(content);
  if (match) return match;
  throw new Unexpected(`\`${tool}\` answered what I did not expect:\n\n${content.slice(0, 600)}`);
}

/** The paths `glob` found. */
export function pathsOf(step: StepView): string[] {
  const content = resultOf(step, 'glob');
  expectMatch('glob', content, /\.ts$/m);
  return content.split('\n').filter((line) => line !== '' && !line.startsWith('('));
}

/** The lines of a file as `read` shows them, without their numbers. */
export function linesOf(step: StepView, n: number): string[] {
  const content = resultOf(step, 'read', n);
  const [, body = ''] = expectMatch('read', content, /<content>\n([\s\S]*)\n<\/content>/);
  const lines = body.split('\n').flatMap((line) => /^\d+: (.*)$/.exec(line)?.[1] ?? []);
  if (lines.length > 0) return lines;
  throw new Unexpected(`\`read\` gave a file without lines:\n\n${content.slice(0, 600)}`);
}

/** What a run of `node --test` came to. */
export interface TestRun {
  passed: number;
  failed: number;
  failing: string[];
}

/** The outcome of the tests as `bash` shows it; a failing run must also carry its exit code. */
export function testRunOf(step: StepView): TestRun {
  const content = resultOf(step, 'bash');
  const count = (name: string) => Number(expectMatch('bash', content, new RegExp(`^\\S+ ${name} (\\d+)$`, 'm'))[1]);
  const run = { passed: count('pass'), failed: count('fail'), failing: [] as string[] };
  if (run.failed > 0) expectMatch('bash', content, /\n\[exit code: 1\]$/);
  else if (/\[exit code: \d+\]\s*$/.test(content)) throw new Unexpected('no test failed, yet the run did.');
  const names = content.matchAll(/^✖ (.+) \([\d.]+ms\)$/gm);
  run.failing = [...new Set(Array.from(names, (match) => match[1] ?? ''))];
  return run;
}
