import {
  ToolError,
  type ConfinedCommand,
  type SandboxPolicy,
  type SandboxPort,
  type SandboxReport,
} from '../../kit/index.ts';
import { findExecutable } from '../processes/find-executable.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { findConfigured } from './find-configured.ts';
import { findLandlock } from './find-landlock.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { limitPrefix } from './limits.ts';
import type { FindRunnerInput, UnusableRunner, WorkingRunner } from './runner.ts';
import { openTaskGroup } from './task-group.ts';

/** Candidates in order of preference. */
const CANDIDATES = [findBubblewrap, findLandlock];

interface Found {
  runner: WorkingRunner | undefined;
  unusable: UnusableRunner[];
}

/** Confines processes of this machine by the first runner that works here; looked for once, and so is its absence. */
export class LocalSandbox implements SandboxPort {
  readonly #input: FindRunnerInput;
  readonly #candidates: typeof CANDIDATES;
  #found: Promise<Found> | undefined;

  constructor(input: FindRunnerInput, candidates = input.runnerCommand ? [findConfigured] : CANDIDATES) {
    this.#input = input;
    this.#candidates = candidates;
  }

  async wrap(policy: SandboxPolicy, argv: readonly string[], cwd: string): Promise<ConfinedCommand> {
    const runner = asksForRunner(policy) ? await this.#runnerFor(policy) : undefined;
    const group = await taskGroup(policy);
    return {
      argv: [...(group?.prefix ?? []), ...(runner?.prefix(policy, cwd) ?? []), ...limitPrefix(policy.limits), ...argv],
      environment: runner?.environment(policy) ?? {},
      ...(runner && { runner: runner.name, enforcement: runner.enforcement }),
      judge: (ended) => judgeOutcome(runner?.dialect, ended),
      release: async () => group?.release(),
    };
  }

  async report(): Promise<SandboxReport> {
    const { runner, unusable } = await this.#find();
    return {
      ...(runner && { runner: runner.name, enforcement: runner.enforcement }),
      network: runner?.network ?? 'shared',
      unusable: unusable.map(({ name, reason }) => ({ runner: name, reason })),
    };
  }

  async #runnerFor({ mode, network }: SandboxPolicy): Promise<WorkingRunner> {
    const { runner, unusable } = await this.#find();
    if (!runner) throw unavailable(mode, unusable.map(({ name, reason }) => `${name}: ${reason}`).join('; '));
    if (network === 'none' && runner.network === 'shared')
      throw unavailable(mode, `${runner.name} cannot take the network away here, and this session is to have none`);
    // It was there when it was looked for; once it is gone, its failure would pass for one of the command.
    await findExecutable(runner.program, this.#input.searchPath).catch((error: Error) => {
      throw unavailable(mode, `${runner.name}: ${error.message}`);
    });
    return runner;
  }

  #find(): Promise<Found> {
    this.#found ??= findRunner(this.#input, this.#candidates);
    return this.#found;
  }
}

async function findRunner(input: FindRunnerInput, candidates: typeof CANDIDATES): Promise<Found> {
  const unusable: UnusableRunner[] = [];
  for (const find of candidates) {
    const runner = await find(input);
    if (!('reason' in runner)) return { runner, unusable };
    unusable.push(runner);
  }
  return { runner: undefined, unusable };
}

/** Full access needs none, unless the network is to be away. */
const asksForRunner = ({ mode, network }: SandboxPolicy): boolean =>
  mode !== 'danger-full-access' || network === 'none';

/** Root is held to a number of processes by a group of the kernel only; others keep the limit by themselves. */
async function taskGroup({ mode, limits: { processes } }: SandboxPolicy) {
  if (processes === undefined || process.getuid?.() !== 0) return undefined;
  const group = await openTaskGroup(processes);
  if (group) return group;
  throw unavailable(
    mode,
    'the worker runs as root, which the kernel holds to a limit of processes in a control group only, and none can be made here; run the worker as another user, or take the limit away',
  );
}

const unavailable = (mode: string, why: string): ToolError =>
  new ToolError(
    'SANDBOX_UNAVAILABLE',
    `nothing was run: commands cannot be confined to ${mode} on this machine (${why}). Its operator can install bubblewrap (apt-get install bubblewrap) and allow user namespaces, or python3 on a kernel with Landlock, or choose danger-full-access for this session or deployment`,
  );
