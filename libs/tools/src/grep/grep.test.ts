import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openWorkspace, untouched } from '../../test/workspace.ts';
import { executeTool } from '../activity.ts';
import { confinePorts, ToolSettings } from '../kit/index.ts';
import { parseMatches } from './parse-matches.ts';
import { previewLine } from './preview-line.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

const search = (overrides: Record<string, unknown>) => ({ settings: ToolSettings.parse({ search: overrides }) });

async function grepping(
  files: Readonly<Record<string, string | Buffer>>,
  args: object,
  overrides: Record<string, unknown> = {},
) {
  const workspace = await openWorkspace();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace.cwd, path)), { recursive: true });
    writeFileSync(join(workspace.cwd, path), content);
  }
  return { ...workspace, result: await workspace.call('grep', args, search(overrides)) };
}

describe('grep', () => {
  test.each<[string, Record<string, string | Buffer>, object, string]>([
    ['one match', { a: 'x\nneedle\n' }, { pattern: 'needle' }, 'Found 1 match\n\na\nLine 2: needle'],
    ['two in a file', { a: 'n1\r\nn2\r\n' }, { pattern: 'n\\d' }, 'Found 2 matches\n\na\nLine 1: n1\nLine 2: n2'],
    ['none', { a: 'x' }, { pattern: 'needle' }, 'No matches found'],
    ['spaces are a pattern', { a: 'x  y\n' }, { pattern: '  ' }, 'Found 1 match\n\na\nLine 1: x  y'],
    [
      'include',
      { 'a.ts': 'n\n', 'b.js': 'n\n', 'c.md': 'n\n' },
      { pattern: 'n', include: '*.md' },
      'Found 1 match\n\nc.md\nLine 1: n',
    ],
    [
      'include with brackets',
      { 'app/[slug]/p.ts': 'n\n' },
      { pattern: 'n', include: 'app/[slug]/*.ts' },
      'Found 1 match\n\napp/[slug]/p.ts\nLine 1: n',
    ],
    [
      'a path with brackets',
      { 'app/[slug]/p.ts': 'n\n', b: 'n\n' },
      { pattern: 'n', path: 'app/[slug]/p.ts' },
      'Found 1 match\n\napp/[slug]/p.ts\nLine 1: n',
    ],
    [
      'hidden only when named',
      { '.h/a': 'n\n', '.h/b': 'n\n' },
      { pattern: 'n', path: '.h/a' },
      'Found 1 match\n\n.h/a\nLine 1: n',
    ],
    [
      'a line that is no text',
      { a: Buffer.from([0x6e, 0xff, 0x0a]) },
      { pattern: 'n' },
      'Found 1 match\n\na\nLine 1: (line is not valid UTF-8)',
    ],
    ['an option as pattern', { a: '--help\n' }, { pattern: '--help' }, 'Found 1 match\n\na\nLine 1: --help'],
    ['a dash in front', { a: '-needle\n' }, { pattern: '-needle' }, 'Found 1 match\n\na\nLine 1: -needle'],
    [
      'a path and an include with a dash',
      { '-d/-f': 'n\n' },
      { pattern: 'n', path: '-d', include: '-*' },
      'Found 1 match\n\n-d/-f\nLine 1: n',
    ],
    [
      'control sequences as they are',
      { a: 'n\u001B[2J\n' },
      { pattern: 'n' },
      'Found 1 match\n\na\nLine 1: n\u001B[2J',
    ],
  ])('%s', async (_name, files, args, text) => {
    const { result } = await grepping(files, args);
    expect(result).toEqual({ text, isError: false });
  });

  test('files in a brace list, ignored ones left out', async () => {
    const files = { '.ignore': 'out/\n', 'a.js': 'n\n', 'b.jsx': 'n\n', 'c.ts': 'n\n', 'out/d.js': 'n\n' };
    const { result } = await grepping(files, { pattern: 'n', include: '*.{js,jsx}' });
    expect(result.text.split('\n\n').toSorted()).toEqual(['Found 2 matches', 'a.js\nLine 1: n', 'b.jsx\nLine 1: n']);
  });

  test('a program named by the pattern is not run', async () => {
    const { cwd, call } = await grepping(
      { 'p.sh': '#!/bin/sh\ntouch PWN; cat "$1"\n', f: '--pre=p.sh\n' },
      { pattern: 'x' },
    );
    chmodSync(join(cwd, 'p.sh'), 0o755);
    expect(await call('grep', { pattern: '--pre=p.sh' })).toEqual({
      text: 'Found 1 match\n\nf\nLine 1: --pre=p.sh',
      isError: false,
    });
    expect(existsSync(join(cwd, 'PWN'))).toBe(false);
  });

  test.each<[object, RegExp, string | undefined]>([
    [{ pattern: '' }, /^Error: pattern must be a non-empty string$/, undefined],
    [{ pattern: 'x', path: '' }, /^Error: path must be a non-empty string when given$/, undefined],
    [{ pattern: 'x', include: ' ' }, /^Error: include must be a non-empty string when given$/, undefined],
    [{ pattern: 'x', include: '!x' }, /^Error: include must not start with "!"/, undefined],
    [{ pattern: 'x', include: '*.js,*.ts' }, /^Error: include must be one glob/, undefined],
    [{ pattern: '(' }, /^Error: grep pattern rejected by ripgrep: rg: regex parse error/, 'SEARCH_INVALID_PATTERN'],
    [{ pattern: 'x', path: 'none' }, /^Error: grep search failed \(exit 2\): .*none/, 'SEARCH_FAILED'],
  ])('refuses %j', async (args, message, code) => {
    const { result } = await grepping({}, args);
    expect(result).toEqual({ text: expect.stringMatching(message), isError: true, ...(code && { code }) });
  });

  test('a line of 700 kB: bounded, around the match, marked as cut', async () => {
    const { result } = await grepping(
      { bundle: `${'x'.repeat(400_000)}needle${'y'.repeat(300_000)}` },
      { pattern: 'needle' },
    );
    expect(result.text).toMatch(/^Found 1 match\n\nbundle\nLine 1: … x+needley+ \(line truncated\)$/);
    expect(result.text.length).toBeLessThan(2_200);
  });

  test('over the cap: a page and a list with whole lines', async () => {
    const long = 'n'.repeat(20);
    const { result } = await grepping(
      { a: `${long}\nn\nn\n` },
      { pattern: 'n' },
      { grepMaxMatches: 2, maxLineBytes: 5 },
    );
    expect(result.text).toMatch(
      /^Found 2 of 3 matches\n\na\nLine 1: nnnnn \(line truncated\)\nLine 2: n\n\n\(Full grep result stored at: \S+\. .+\)$/,
    );
    const [, locator] = /stored at: (\S+)\. /.exec(result.text) ?? [];
    expect(readFileSync(locator ?? '', 'utf8')).toBe(`Found 3 matches\n\na\nLine 1: ${long}\nLine 2: n\nLine 3: n`);
  });

  test('a list that cannot be saved is said, and a program gets all of it without one', async () => {
    const { cwd, context } = await openWorkspace();
    writeFileSync(join(cwd, 'a'), 'n\nn\n');
    const broken = context(search({ grepMaxMatches: 1 }));
    const ports = { ...broken.ports, spill: { save: () => Promise.reject(new Error('disk full')) } };
    const run = (more: object) =>
      executeTool({ name: 'grep', args: { pattern: 'n' }, context: { ...broken, ports, ...more } });
    expect((await run({})).content).toMatchObject([
      { text: expect.stringContaining('(The complete result could not be saved; narrow pattern, path, or include') },
    ]);
    expect(JSON.stringify((await run({ parent: broken.callId })).value)).toMatch(/"n".*"n"/);
  });

  test('what displays get is bounded by files, and one file always stays', async () => {
    const { context } = await grepping({ a: `${'n'.repeat(100)}\n`, b: 'n\n' }, { pattern: 'x' });
    const run = (maxMetaBytes: number) =>
      executeTool({ name: 'grep', args: { pattern: 'n' }, context: context(search({ maxMetaBytes })) });
    expect((await run(10)).meta).toMatchObject({ total: 2, files: [{}], truncated: true });
    expect((await run(1_000)).meta).toMatchObject({ total: 2, files: [{}, {}] });
  });

  test('a cancel during the run, and one before it', async () => {
    const { cwd, call } = await openWorkspace();
    const controller = new AbortController();
    const running = call('grep', { pattern: 'x', path: '/' }, { signal: controller.signal, cwd });
    controller.abort();
    expect(await running).toMatchObject({ isError: true, text: expect.stringMatching(/aborted/) });
    expect(await call('grep', { pattern: 'x' }, { signal: AbortSignal.abort() })).toMatchObject({
      code: 'ABORTED_BEFORE_DISPATCH',
    });
  });
});

describe.skipIf(process.platform !== 'linux')('what other processes were started with', () => {
  const withSecret = () => {
    const other = spawn('sleep', ['60'], { env: { FIRST: '1', OTHERS_KEY: 'sk-of-another' } });
    onTestFinished(() => void other.kill('SIGKILL'));
    return `/proc/${other.pid}/environ`;
  };

  test.each(['danger-full-access', 'workspace-write'] as const)('is found by no path (%s)', async (mode) => {
    const { cwd, call } = await openWorkspace();
    const secret = withSecret();
    symlinkSync(secret, join(cwd, 'link'));
    symlinkSync(dirname(secret), join(cwd, 'folder'));
    for (const path of [secret, 'link', 'folder', '/proc', dirname(secret)]) {
      const grepped = await call('grep', { pattern: 'KEY', path }, { sandbox: { mode } });
      expect(grepped).toMatchObject({ code: 'SEARCH_FAILED', text: expect.stringContaining('is not searched') });
      expect((await call('glob', { pattern: '*', path }, { sandbox: { mode } })).code).toBe('SEARCH_FAILED');
    }
  });

  test('is not met on the way from the root', async () => {
    const { world } = await openWorkspace();
    const limits = { signal: untouched(), graceMs: 1_000, maxStdoutBytes: 1_000_000, maxStderrBytes: 1_000 };
    const args = ['--files', '--max-depth=2', '--glob=/proc/*', '--glob=/etc/*', '--', '.'];
    const { stdout } = await world.ports.search.run({ args, cwd: '/', ...limits });
    expect(stdout.text).toContain('./etc/');
    expect(stdout.text).not.toContain('proc');
  });

  test('is not read by a confined search that was sent there by a link of the last moment', async () => {
    const { cwd, world } = await openWorkspace();
    if ((await world.ports.sandbox.report()).runner === undefined) return;
    symlinkSync(withSecret(), join(cwd, 'link'));
    const limits = { signal: untouched(), graceMs: 1_000, maxStdoutBytes: 10_000, maxStderrBytes: 1_000 };
    const run = (mode: 'workspace-write' | 'danger-full-access') => {
      const ports = confinePorts(world.ports, { mode, network: 'full', root: cwd, limits: {} });
      return ports.search.run({ args: ['--no-config', '--json', '--regexp=KEY', '--', './link'], cwd, ...limits });
    };
    expect((await run('danger-full-access')).stdout.text).toContain('sk-of-another');
    const confined = await run('workspace-write');
    expect(confined.stdout.text + confined.stderr.text).not.toContain('sk-of-another');
    expect(confined.exitCode).toBe(2);
  });
});

describe('what grep does not search', () => {
  const found = async (files: Record<string, string | Buffer>, args: object = {}) => {
    const { result } = await grepping(files, { pattern: 'needle', ...args });
    return result.text.split('\n').filter((line) => !/^(Found|Line|$)/.test(line));
  };

  test('binary files, and text behind a NUL', async () => {
    const binary = Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2]), Buffer.from('\nneedle\n')]);
    expect(await found({ 'a.bin': binary, 'b.txt': 'needle\n' })).toEqual(['b.txt']);
  });

  test('hidden files, ignored ones, and what version control keeps: unless named', async () => {
    const files = {
      '.gitignore': 'out/\n*.log\n',
      '.git/config': 'needle\n',
      '.env': 'needle\n',
      'a.log': 'needle\n',
      'out/app.js': 'needle\n',
      'src/app.js': 'needle\n',
    };
    expect(await found(files)).toEqual(['src/app.js']);
    expect(await found(files, { path: '.env' })).toEqual(['.env']);
    expect(await found(files, { path: 'a.log' })).toEqual(['a.log']);
    expect(await found(files, { path: 'out/app.js' })).toEqual(['out/app.js']);
  });
});

test('a name that is no UTF-8 is shown as well as it can be, its lines are whole', async () => {
  const { cwd, call } = await openWorkspace();
  writeFileSync(Buffer.concat([Buffer.from(`${cwd}/caf`), Buffer.from([0xe9])]), 'needle\n');
  expect(await call('grep', { pattern: 'needle' })).toEqual({
    text: 'Found 1 match\n\ncaf\uFFFD\nLine 1: needle',
    isError: false,
  });
});

test('a text in UTF-16 is found by its mark, one in Latin-1 by its letters', async () => {
  const utf16 = Buffer.from('\uFEFFa needle\n', 'utf16le');
  const latin1 = Buffer.concat([Buffer.from([0xe9]), Buffer.from(' needle\n')]);
  const { result } = await grepping({ 'a.txt': utf16 }, { pattern: 'needle' });
  expect(result.text).toBe('Found 1 match\n\na.txt\nLine 1: a needle');
  const { result: other } = await grepping({ 'b.txt': latin1 }, { pattern: 'needle' });
  expect(other.text).toBe('Found 1 match\n\nb.txt\nLine 1: (line is not valid UTF-8)');
});

describe('previewLine', () => {
  test.each<[string, string, number, number, number, string]>([
    ['cut on a character', 'aéaéaéaé', 0, 1, 7, 'aéaéa (line truncated)'],
    ['short enough', 'aéa', 0, 1, 4, 'aéa'],
    ['around the match', `${'x'.repeat(50)}HIT${'y'.repeat(50)}`, 50, 53, 9, '… xxxHITyyy (line truncated)'],
    ['a match at the end', `${'x'.repeat(50)}HIT`, 50, 53, 9, '… xxxxxxHIT (line truncated)'],
    ['never half a character', `${'é'.repeat(50)}HIT${'🙂'.repeat(9)}`, 100, 103, 9, '… éHIT (line truncated)'],
  ])('%s', (_name, text, start, end, maxBytes, expected) => {
    const preview = previewLine({ text, start, end, maxBytes });
    expect(preview).toBe(expected);
  });
});

test('output that is not JSON', () => {
  expect(() => parseMatches('{"type":"match"')).toThrow('grep search failed: ripgrep printed malformed JSON');
});
