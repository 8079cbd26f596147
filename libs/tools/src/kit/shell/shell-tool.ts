import { presentShellCall, presentShellResult } from './present-shell.ts';
import { shellJobLabel } from './shell-arguments.ts';
import { shellPrompt } from './shell-parameters.ts';

/** What the tools that run one command in a fresh shell have in common. */
export const shellTool = <const Name extends 'bash' | 'pwsh'>(name: Name) =>
  ({
    name,
    home: 'host',
    effect: 'at-most-once',
    escalation: 'command',
    background: { argument: 'run_in_background', kind: name, label: shellJobLabel },
    promptSection: shellPrompt(name),
    presentCall: presentShellCall,
    presentResult: presentShellResult,
  }) as const;
