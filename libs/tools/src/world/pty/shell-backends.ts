import { SHELL_PROMPT, type PowershellPort } from '../../kit/index.ts';
import { findExecutable } from '../processes/find-executable.ts';

/** How a shell is started so that its prompts can be told from what programs print. */
export interface ShellBackend {
  /** The command line; throws with what to install. */
  argv(input: { nonce: string; searchPath: string | undefined; powershell: PowershellPort }): Promise<string[]>;
  environment(input: { nonce: string }): Record<string, string>;
}

/** The hidden mark before each prompt: the last status, and a number no program can guess. */
export function promptStatus(body: string, nonce: string): { status: number | undefined } | undefined {
  const [code, kind, status = '', given] = body.split(';');
  if (code !== '133' || kind !== 'D' || given !== nonce) return undefined;
  return { status: /^\d+$/.test(status) ? Number(status) : undefined };
}

const bash: ShellBackend = {
  argv: async ({ searchPath }) => [
    await findExecutable('/bin/bash', searchPath).catch(() => findExecutable('bash', searchPath)),
    '--noprofile',
    '--norc',
    '-i',
  ],
  // Set anew before each prompt, so that it survives a command that changes PS1.
  environment: ({ nonce }) => ({
    PS1: SHELL_PROMPT,
    PROMPT_COMMAND: `PS1="\\[\\033]133;D;$?;${nonce}\\007\\]${SHELL_PROMPT}"`,
    HISTFILE: '',
  }),
};

const pwsh: ShellBackend = {
  argv: async ({ nonce, powershell }) => [
    await powershell.find(),
    '-NoLogo',
    '-NoProfile',
    '-NoExit',
    '-Command',
    promptFunction(nonce),
  ],
  environment: () => ({ POWERSHELL_TELEMETRY_OPTOUT: '1', POWERSHELL_UPDATECHECK: 'Off' }),
};

/** PSReadLine draws lines with control sequences and is of no use without a screen. */
const promptFunction = (nonce: string): string =>
  [
    'Remove-Module PSReadLine -ErrorAction SilentlyContinue',
    `function prompt { $ok = $?; $code = if ($ok) { 0 } elseif ($LASTEXITCODE) { $LASTEXITCODE } else { 1 }; ` +
      `"$([char]27)]133;D;$code;${nonce}$([char]7)${SHELL_PROMPT}" }`,
  ].join('; ');

/** Every kind of shell a terminal can run. */
export const SHELL_BACKENDS: ReadonlyMap<string, ShellBackend> = new Map([
  ['shell', bash],
  ['pwsh', pwsh],
]);

/** Wide characters need a locale that knows them; the one inherited may not. */
export function localeFor(environment: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const effective = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || '';
  return /utf-?8/i.test(effective) ? {} : { LC_ALL: undefined, LC_CTYPE: 'C.UTF-8' };
}
