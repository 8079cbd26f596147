/** Without it a console of another code page would spoil what is not ASCII. */
const UTF8 =
  '[Console]::InputEncoding = [Console]::OutputEncoding = $OutputEncoding = [System.Text.UTF8Encoding]::new($false); ';

/** What PowerShell is started with for one command, which is one argument however it is quoted. */
export function pwshArguments(command: string): string[] {
  return ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', `${UTF8}${command}`];
}
