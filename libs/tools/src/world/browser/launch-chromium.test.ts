import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../../test/workspace.ts';
import type { Conversation, ConverseInput } from '../processes/local-processes.ts';
import { launchChromium } from './launch-chromium.ts';

async function converse({ argv: [program = '', ...args], cwd, environment }: ConverseInput): Promise<Conversation> {
  const child = spawn(program, args, { cwd, env: { ...environment, PATH: process.env['PATH'] }, detached: true });
  const exited = once(child, 'close').then(([code]) => ({ code: code as number }));
  const end = async () => {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
    await exited;
  };
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, exited, end } as unknown as Conversation;
}

/** Launches a program that stands for a browser; each of its starts is a line of a file. */
async function launched(script: string, attemptTimeoutMs = 30_000) {
  const folder = temporaryDirectory();
  const [program, starts] = [join(folder, 'chromium'), join(folder, 'starts')];
  writeFileSync(program, `#!/bin/sh\necho started >> '${starts}'\n${script}\nexec sleep 600\n`, { mode: 0o755 });
  const input = { program, converse, signal: new AbortController().signal, attemptTimeoutMs };
  const chromium = await launchChromium(input).catch((error: unknown) => String(error));
  if (typeof chromium !== 'string') onTestFinished(() => chromium.end());
  const url = typeof chromium === 'string' ? chromium : chromium.cdpUrl;
  return { url, starts: readFileSync(starts, 'utf8').trim().split('\n').length };
}

const SAYS = 'DevTools listening on ws://127.0.0.1:1/devtools/browser';

test('its address is found before much else that is said at once, and where it comes in two pieces', async () => {
  const noise = `say() { printf '%s\\n' "${SAYS}"; head -c 9000 /dev/zero | tr '\\0' 'x'; echo; }; say > all; cat all >&2`;
  expect(await launched(noise)).toEqual({ url: 'ws://127.0.0.1:1/devtools/browser', starts: 1 });
  const halves = `printf 'DevTools listening on ws://127.0.0.1:1/dev' >&2; sleep 0.1; echo tools/browser >&2`;
  expect(await launched(halves)).toEqual({ url: 'ws://127.0.0.1:1/devtools/browser', starts: 1 });
});

test('one that hangs while it starts is started once more', async () => {
  const second = `[ "$(wc -l < "\${0%/*}/starts")" -gt 1 ] && echo '${SAYS}' >&2`;
  expect(await launched(second, 1_500)).toEqual({ url: 'ws://127.0.0.1:1/devtools/browser', starts: 2 });
});

test('one that ends is not started again', async () => {
  const { url, starts } = await launched('echo broken >&2; exit 3');
  expect([url, starts]).toEqual(['Error: Chromium ended with code 3: broken', 1]);
});
