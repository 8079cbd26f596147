import type { SandboxPolicy, SandboxPort } from './sandbox-port.ts';
import type { ToolPorts } from './tool-context.ts';

/**
 * The machine under a call's policy: whatever a body writes or runs through these ports is confined, without
 * its knowing. A body that must run a program of the harness' own says `confine: 'nothing'`.
 */
export function confinePorts(ports: ToolPorts, policy: SandboxPolicy): ToolPorts {
  const { files, processes, search, sandbox } = ports;
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
    search: {
      scope: (input) => search.scope(input),
      run: async (input) => search.run({ ...(await whileOthersRun(policy, sandbox)), ...input }),
    },
    processes: {
      run: (input) => processes.run({ confine: policy, ...input }),
      start: (input) => processes.start({ confine: policy, ...input }),
    },
  };
}

/**
 * A search is told where to go before it goes there, and a command in the background may make a link of that meanwhile,
 * to the environment of another process. Confined it cannot be read. Where there is no runner no such command runs.
 */
async function whileOthersRun(policy: SandboxPolicy, sandbox: SandboxPort): Promise<{ confine?: SandboxPolicy }> {
  if (policy.mode === 'danger-full-access' || (await sandbox.report()).runner === undefined) return {};
  return { confine: { ...policy, mode: 'read-only', network: 'full', limits: {} } };
}
