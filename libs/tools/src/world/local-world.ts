import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '@everturn/core/domain';
import type { SandboxPort, SpillPort, ToolPorts } from '../kit/index.ts';
import { PrimaryRuntime, type PrimaryRuntimeInput } from './dependencies/primary-runtime.ts';
import { LocalFiles } from './files/local-files.ts';
import { LocalSpillStore } from './local-spill-store.ts';
import { inheritedEnvironment, type HostEnvironment } from './processes/child-environment.ts';
import { GroupRegistry } from './processes/group-registry.ts';
import { killMarked } from './processes/kill-marked.ts';
import { LanguageServers, type LanguageServerLimits } from './lsp/language-servers.ts';
import type { ServerDefinition } from './lsp/server-definition.ts';
import { LocalPowershell } from './processes/local-powershell.ts';
import { LocalProcesses } from './processes/local-processes.ts';
import { LocalBrowsers, type BrowserLimits } from './browser/local-browsers.ts';
import { McpServers, type McpServersInput } from './mcp/mcp-servers.ts';
import { LocalTerminals } from './pty/local-terminals.ts';
import { ResourceHolder } from './resources/resource-holder.ts';
import { Ripgrep } from './ripgrep.ts';
import { LocalSkills, type LocalSkillsInput } from './skills/local-skills.ts';
import { LocalProject } from './workspace/local-project.ts';
import { LocalWeb, type OpenLocalWebInput } from './web/local-web.ts';
import { LocalSandbox } from './sandbox/local-sandbox.ts';
import { keepSwept, OUTPUT_FOLDER } from './sweep-output.ts';

export interface OpenLocalWorldInput {
  /** The worker's environment; commands get the harmless part of it. */
  environment: HostEnvironment;
  /** More variables commands may inherit. */
  allowEnvironment?: readonly string[];
  /** Values no command may see under any name: the provider keys and passwords the worker was configured with. */
  secretValues?: readonly string[];
  /** Where word of running processes is left for {@link reapOrphans}; absent: nothing outlives the guard. */
  dataDir?: string;
  /** Where long output goes; absent: a new private directory under the system's temporary one. */
  spillRoot?: string;
  /** Absolute path of `bwrap`, where it is not on the path. */
  bubblewrap?: string;
  /** The operator's own runner, in place of all others. */
  runnerCommand?: { argv: readonly string[]; failureSignatures: readonly string[] };
  /** Takes the place of the runners of this machine, where confinement comes from elsewhere. */
  sandbox?: SandboxPort;
  /** Folders sessions may work in; absent: any. */
  roots?: readonly string[];
  /** Where skills are besides projects. */
  skills?: Omit<LocalSkillsInput, 'roots'>;
  /** Takes the place of the local spill store, for instance where other machines must read the texts. */
  spill?: SpillPort;
  /** What the deployment says about the web; absent: public pages, no search. */
  web?: OpenLocalWebInput;
  languageServers?: readonly ServerDefinition[];
  languageServerLimits?: Partial<LanguageServerLimits>;
  /** The browser's program; absent: the first the search path has. */
  chromium?: string;
  /** Where a browser that runs already is debugged, in place of browsers of our own. */
  browserAddress?: string;
  browserLimits?: Partial<BrowserLimits>;
  /** PowerShell's program; absent: looked for where it is usually installed. */
  pwsh?: string;
  /** What the deployment ships for work on documents. */
  dependencies?: PrimaryRuntimeInput;
  /** Servers sessions may use; `start` of the world's `mcp` connects to them. */
  mcp?: Pick<McpServersInput, 'servers' | 'onNotice'>;
}

/** This machine, for tools. One per worker process. */
export interface LocalWorld {
  readonly ports: ToolPorts;
  readonly mcp: McpServers;
  /** What sessions keep alive between their calls. */
  readonly resources: ResourceHolder;
  /** Ends what a session holds here and what it left running in the background; resolves when it is gone. */
  endSession(session: SessionId): Promise<void>;
  /** Ends everything that runs; the ports must not be used afterwards. */
  dispose(): Promise<void>;
}

const GRACE_MS = 3_000;
/** Long: what is found is kept, and a machine that is only busy must not end up with a weaker runner. */
const PROBE_TIMEOUT_MS = 20_000;

const localSandbox = ({ environment, bubblewrap, runnerCommand }: OpenLocalWorldInput): LocalSandbox =>
  new LocalSandbox({
    searchPath: environment['PATH'] ?? '',
    probeTimeoutMs: PROBE_TIMEOUT_MS,
    ...(bubblewrap !== undefined && { bubblewrap }),
    ...(runnerCommand && { runnerCommand }),
  });

/** Makes the ports real. Call `reapOrphans` first when there is a data directory. */
export async function openLocalWorld(input: OpenLocalWorldInput): Promise<LocalWorld> {
  const { environment, allowEnvironment = [], secretValues = [], dataDir, roots = ['/'] } = input;
  const spillRoot = input.spillRoot ?? (await mkdtemp(join(tmpdir(), 'everturn-spill-')));
  const outputFolder = join(spillRoot, OUTPUT_FOLDER);
  await mkdir(outputFolder, { recursive: true, mode: 0o700 });
  const inherited = inheritedEnvironment({ host: environment, allow: allowEnvironment, secretValues });
  const registry = await GroupRegistry.open(dataDir);
  const sandbox = input.sandbox ?? localSandbox(input);
  const processes = new LocalProcesses({ registry, sandbox, inherited, outputFolder });
  const mcp = new McpServers({
    servers: input.mcp?.servers ?? [],
    onNotice: input.mcp?.onNotice ?? (() => undefined),
    cwd: dataDir ?? tmpdir(),
    converse: (asked) => processes.converse(asked),
  });
  const powershell = new LocalPowershell({ environment, ...(input.pwsh !== undefined && { configured: input.pwsh }) });
  const terminals = new LocalTerminals({ registry, sandbox, inherited, powershell });
  const ports: ToolPorts = {
    files: new LocalFiles(),
    processes,
    powershell,
    sandbox,
    lsp: new LanguageServers({
      definitions: input.languageServers,
      limits: input.languageServerLimits,
      registry,
      sandbox,
      inherited,
    }),
    search: new Ripgrep(processes),
    spill: input.spill ?? new LocalSpillStore(spillRoot),
    web: new LocalWeb(input.web),
    dependencies: new PrimaryRuntime(input.dependencies),
    mcp,
    browser: new LocalBrowsers({
      searchPath: environment['PATH'] ?? '',
      converse: (asked) => processes.converse(asked),
      ...(input.chromium !== undefined && { chromium: input.chromium }),
      ...(input.browserAddress !== undefined && { attachTo: input.browserAddress }),
      limits: input.browserLimits,
    }),
    terminals,
    project: new LocalProject({ roots }),
    skills: new LocalSkills({ ...input.skills, roots }),
  };
  const resources = new ResourceHolder({
    folder: dataDir === undefined ? undefined : join(dataDir, 'session-resources'),
  });
  const stopSweeping = keepSwept(spillRoot);
  return {
    ports,
    resources,
    mcp,
    endSession: async (session) => {
      try {
        await resources.release(session);
      } finally {
        await registry.terminate({ session }, GRACE_MS);
        await killMarked(registry.owner, session);
      }
    },
    dispose: async () => {
      stopSweeping();
      try {
        await Promise.all([resources.dispose(), mcp.close()]);
      } finally {
        await terminals.dispose();
        await registry.dispose(GRACE_MS);
        await killMarked(registry.owner);
        if (input.spillRoot === undefined) await rm(spillRoot, { recursive: true, force: true });
      }
    },
  };
}
