/** PowerShell of the machine, wherever it is installed. */
export interface PowershellPort {
  /** What to start it with; throws what to install. Looked for anew each time, so that an installation is seen. */
  find(): Promise<string>;
}
