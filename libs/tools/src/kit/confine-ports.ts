import type { SandboxPolicy } from './sandbox-port.ts';
import type { ToolPorts } from './tool-context.ts';

/**
 * The machine under a call's policy: whatever a body writes or runs through these ports is confined, without
 * its knowing. A body that must run a program of the harness' own says `confine: 'nothing'`.
 */
export function confinePorts(ports: ToolPorts, policy: SandboxPolicy): ToolPorts {
  const { files, processes } = ports;
  return {
    ...ports,
    files: {
      stat: (input) => files.stat(input),
      readText: (input) => files.readText(input),
      readBytes: (input) => files.readBytes(input),
      list: (input) => files.list(input),
      write: (input) => files.write({ fence: policy, ...input }),
      edit: (input) => files.edit({ fence: policy, ...input }),
    },
    processes: {
      run: (input) => processes.run({ confine: policy, ...input }),
      start: (input) => processes.start({ confine: policy, ...input }),
    },
  };
}
