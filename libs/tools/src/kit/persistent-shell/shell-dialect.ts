/** How one kind of shell is told to run a command between two markers. */
export interface ShellDialect {
  /** The tool's name, which its messages use. */
  readonly name: 'bash' | 'pwsh';
  /** Of `TerminalsPort.backends`. */
  readonly backend: string;
  /** Typed once into a new shell. */
  readonly setup: string;
  markers(nonce: string): { start: string; end: string };
  /** One physical line, so that the shell asks for no continuation; what it echoes of it holds no whole marker. */
  line(command: string, nonce: string): string;
}

const BASH = '__EVERTURN_PERSISTENT_BASH_';
const PWSH = '__EVERTURN_PERSISTENT_PWSH_';

const markersOf = (prefix: string) => (nonce: string) => ({
  start: `${prefix}START_${nonce}__`,
  end: `${prefix}END_${nonce}`,
});

/** A kept bash. */
export const bashDialect: ShellDialect = {
  name: 'bash',
  backend: 'shell',
  setup: 'stty -echo; set +H +o history',
  markers: markersOf(BASH),
  line: (command, nonce) =>
    [
      `builtin printf '%s%s\\n' ${BASH} START_${nonce}__`,
      `builtin eval ${ansiQuoted(command)}`,
      `builtin printf '%s%s:%s\\n' ${BASH} END_${nonce} "$?"`,
    ].join('; '),
};

/** A kept PowerShell. */
export const pwshDialect: ShellDialect = {
  name: 'pwsh',
  backend: 'pwsh',
  setup: '$ProgressPreference = "SilentlyContinue"; $PSStyle.OutputRendering = "PlainText"',
  markers: markersOf(PWSH),
  line: (command, nonce) =>
    [
      `[Console]::Out.WriteLine('${PWSH}' + 'START_${nonce}__')`,
      '$global:LASTEXITCODE = 0',
      `Invoke-Expression ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${base64(command)}'))) | Out-Default`,
      '$__ok = $?',
      `[Console]::Out.WriteLine('${PWSH}' + 'END_${nonce}:' + $(if ($LASTEXITCODE) { $LASTEXITCODE } elseif ($__ok) { 0 } else { 1 }))`,
    ].join('; '),
};

/** Plain ASCII on one line: line editors read tabs as wishes, and some locales do not let other bytes through. */
function ansiQuoted(command: string): string {
  const quoted = Array.from(new TextEncoder().encode(command), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9 _./:=,@%+-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `$'${quoted.join('')}'`;
}

const base64 = (command: string): string =>
  btoa(Array.from(new TextEncoder().encode(command), (byte) => String.fromCharCode(byte)).join(''));
