import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { missing } from '../../test/runners.ts';
import { openWorkspace, temporaryDirectory } from '../../test/workspace.ts';
import { bodies } from '../activity.ts';
import { ToolSettings } from '../kit/index.ts';
import { LocalPowershell } from '../world/processes/local-powershell.ts';
import { pwshArguments } from './pwsh-arguments.ts';
import { pwsh } from './schema.ts';

vi.setConfig({ testTimeout: 30_000 }); // real processes on a machine that may be busy

const KEY = 'pwsh:pwsh';
const description = 'Try it';

/** A workspace whose configured program is not PowerShell but this shell script: what we start it with can be seen. */
function withProgramInPlaceOfPowershell(script: string) {
  const program = join(temporaryDirectory(), 'stands-where-powershell-would');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return openWorkspace({ pwsh: program });
}
const PRINT_ARGUMENTS = 'for argument in "$@"; do printf "<%s>" "$argument"; done';
const PREAMBLE =
  '[Console]::InputEncoding = [Console]::OutputEncoding = $OutputEncoding = [System.Text.UTF8Encoding]::new($false); ';

describe('how PowerShell is started', () => {
  test.each(['Get-Location', `echo "a b" 'c' $x; | & \`\n# ✓`])(
    '%j is one argument, after the preamble',
    async (command) => {
      const { call } = await withProgramInPlaceOfPowershell(PRINT_ARGUMENTS);
      expect(await call(KEY, { command, description })).toEqual({
        text: `<-NoLogo><-NoProfile><-NonInteractive><-Command><${PREAMBLE}${command}>`,
        isError: false,
      });
    },
  );

  test('in the session directory or workdir, without input, with plain output', async () => {
    const { call, cwd } = await withProgramInPlaceOfPowershell(
      'pwd; cat; echo "$NO_COLOR $TERM $PAGER $POWERSHELL_TELEMETRY_OPTOUT $POWERSHELL_UPDATECHECK ${FROM_MODEL-none}"',
    );
    const plain = '1 dumb cat 1 Off none\n';
    const args = { command: 'x', description, env: { FROM_MODEL: '1' } };
    expect((await call(KEY, args)).text).toBe(`${cwd}\n${plain}`);
    expect((await call(KEY, { ...args, workdir: '..' })).text).toBe(`${join(cwd, '..')}\n${plain}`);
  });
});

describe('results read as those of bash', () => {
  test.each([
    ['printf out; printf err >&2; exit 3', 'out\n[stderr]\nerr\n[exit code: 3]'],
    [':', '(no output)'],
    ['kill -KILL $$', '(no output)\n[killed by signal: SIGKILL]'],
  ])('%s', async (script, text) => {
    const { call } = await withProgramInPlaceOfPowershell(script);
    expect(await call(KEY, { command: 'x', description })).toEqual({ text, isError: false });
  });

  test('a deadline', async () => {
    const { call } = await withProgramInPlaceOfPowershell('exec sleep 600');
    expect((await call(KEY, { command: 'x', description, timeoutMs: 100 })).text).toBe(
      '(no output)\n[timed out after 100ms]\n[killed by signal: SIGTERM]',
    );
  });

  test('a terminal that tells how it ended; a job and a failure are plain', () => {
    const args = { command: 'Get-Date', description };
    const result = { content: [{ type: 'text' as const, text: 'x\n[exit code: 1]' }], isError: false };
    expect(pwsh.presentCall?.(args)).toEqual({ card: 'terminal', title: description, command: 'Get-Date' });
    expect(pwsh.presentResult?.(args, result)).toMatchObject({ card: 'terminal', exit: { code: 1 } });
    expect(pwsh.presentResult?.(args, { ...result, isError: true })).toMatchObject({ card: 'generic' });
    expect(pwsh.presentResult?.({ ...args, run_in_background: true }, result)).toMatchObject({ card: 'generic' });
  });
});

describe('as a job', () => {
  const args = { command: 'Get-Date', description, run_in_background: true };

  test('runs the same command line to its end', async () => {
    const { context } = await withProgramInPlaceOfPowershell(`${PRINT_ARGUMENTS}; exit 3`);
    const job = await bodies.get(KEY)!.startJob!(args, context());
    expect(await job.outcome).toEqual({ state: 'completed', detail: 'exit code: 3' });
    expect(job.read()).toMatchObject({
      text: pwshArguments('Get-Date')
        .map((argument) => `<${argument}>`)
        .join(''),
    });
  });

  test('is ended when told to', async () => {
    const { context } = await withProgramInPlaceOfPowershell('exec sleep 600');
    const job = await bodies.get(KEY)!.startJob!(args, context());
    job.cancel();
    expect(await job.outcome).toEqual({ state: 'killed', detail: 'signal: SIGTERM' });
  });

  test('is called by its command and counted as pwsh; none where a deployment has none', () => {
    const settings = ToolSettings.parse({});
    expect(pwsh.background).toMatchObject({ argument: 'run_in_background', kind: 'pwsh' });
    expect(pwsh.background?.label(args, settings)).toBe('Get-Date');
    const without = ToolSettings.parse({ shell: { enableRunInBackground: false } });
    expect(() => pwsh.background?.label(args, without)).toThrow('enableRunInBackground: false');
  });
});

describe('refused', () => {
  test.each([
    [{ command: ' ', description }, 'Error: invalid command: expected a non-empty string'],
    [{ command: 'x', description: '' }, 'Error: invalid description: expected a non-empty string'],
    [{ command: 'x', description, timeoutMs: 0 }, 'Error: invalid timeoutMs: expected a positive number, got 0'],
    [
      { command: 'x', description, run_in_background: true },
      'Error: background jobs unavailable: load a job service to use run_in_background',
    ],
    [
      { command: 'x', description, sandbox_permissions: 'danger-full-access', justification: 'why' },
      'Error: sandbox_permissions was not granted for this call, so nothing was run',
    ],
  ])('%j', async (args, text) => {
    const { call } = await withProgramInPlaceOfPowershell('echo ran');
    expect(await call(KEY, args)).toEqual({ text, isError: true });
  });

  test.each(['danger-full-access', 'workspace-write'] as const)('under %s, where none is installed', async (mode) => {
    const { call, context } = await openWorkspace({ environment: { PATH: temporaryDirectory() } });
    const text =
      'PowerShell is not installed on this machine: install PowerShell 7, so that "pwsh" is on the PATH of the worker, or use bash';
    const sandbox = { mode };
    expect(await call(KEY, { command: 'x', description }, { sandbox })).toEqual({
      text: `Error: ${text}`,
      isError: true,
    });
    await expect(bodies.get(KEY)!.startJob!({ command: 'x', description }, context({ sandbox }))).rejects.toThrow(text);
  });

  test('where the configured one is not there, by the name of what to correct', async () => {
    const { call } = await openWorkspace({ pwsh: '/nowhere/pwsh' });
    expect(await call(KEY, { command: 'x', description })).toEqual({
      text: 'Error: EVERTURN_PWSH_PATH is of no use, correct or unset it: cannot start "/nowhere/pwsh": it is not an executable file',
      isError: true,
    });
  });
});

describe('a real PowerShell', async () => {
  const found = await new LocalPowershell({ environment: process.env }).find().catch(() => undefined);
  const note = found === undefined ? ' [skipped: PowerShell is missing; install PowerShell 7]' : '';

  test.skipIf(note).each([
    [`Write-Output 'Grüße ✓'`, 'Grüße ✓\n'],
    [`[Console]::Error.WriteLine('e'); exit 3`, '[stderr]\ne\n[exit code: 3]'],
    ['[Console]::In.ReadToEnd().Length', '0\n'],
  ])(`%s${note}`, async (command, text) => {
    const { call } = await openWorkspace();
    expect(await call(KEY, { command, description })).toEqual({ text, isError: false });
  });

  const confined = note || (await missing('bubblewrap'));
  test.skipIf(confined)(`confined, it writes nothing${confined}`, async () => {
    const { call } = await openWorkspace();
    const { text } = await call(KEY, { command: 'New-Item f', description }, { sandbox: { mode: 'read-only' } });
    expect(text).toMatch(/\[exit code: 1\]$/);
  });
});
