import { CliError } from '../platform/cli-error.ts';
import type { Context } from '../platform/context.ts';
import { exitStatusOf, INTERRUPT_STATUS } from '../platform/exit-status.ts';
import { inertLine } from '../terminal/inert.ts';
import { Screen } from '../terminal/screen.ts';
import { RunView } from '../view/run-view.ts';
import { ownModelHint, summary } from '../view/summary.ts';
import { compareSnapshots } from '../workspace/compare.ts';
import { takeSnapshot, type Snapshot } from '../workspace/snapshot.ts';
import type { RunOutcome } from '../view/run-outcome.ts';
import { cancelOnSignal } from './cancel-on-signal.ts';
import type { RunOptions } from './run-options.ts';
import { followTurn, type TurnWatcher } from './follow-turn.ts';
import { knownWorkspace, newSessionId, prepareWorkspace, type Workspace } from './prepare-workspace.ts';
import { startInSession, startNewSession, type StartedTurn } from './start-turn.ts';

interface RunInput {
  context: Context;
  prompt: string;
  options: RunOptions;
}

interface Begun extends StartedTurn {
  workspace: Workspace | undefined;
  before: Snapshot | undefined;
}

/** Sends a prompt, shows its turn, and answers the exit status. */
export async function run({ context, prompt, options }: RunInput): Promise<number> {
  const screen = new Screen({ sink: options.json ? process.stderr : process.stdout, style: context.style });
  const tell = (text: string) => screen.line(context.style.yellow(`  ! ${text}`));
  const api = context.api();
  // From here on, so that no session is left running that was interrupted while it was being made.
  const cancel = cancelOnSignal({ api, tell });
  try {
    screen.waitFor('the API');
    const begun = await begin({ context, prompt, options });
    cancel.aim(begun.session);
    const watcher = options.json ? silent : shown({ screen, prompt, begun });
    screen.waitFor(options.json ? 'the turn to end' : 'a worker to take it');
    const outcome = await followTurn({ api, ...begun, watcher, cancelled: cancel.taken });
    screen.waitFor(undefined);
    await finish({ context, screen, options, begun, outcome });
    return cancel.asked ? INTERRUPT_STATUS : exitStatusOf(outcome.reason ?? { kind: 'error' });
  } catch (error) {
    if (!(cancel.asked && error instanceof CliError && error.code === 'CLI_REFUSED')) throw error;
    tell('cancelled before its turn began');
    return INTERRUPT_STATUS;
  } finally {
    cancel.release();
    screen.close();
  }
}

interface FinishInput extends Pick<RunInput, 'context' | 'options'> {
  screen: Screen;
  begun: Begun;
  outcome: RunOutcome;
}

async function finish({ context, screen, options, begun, outcome }: FinishInput): Promise<void> {
  const { session, workspace, before, temporalUrl } = begun;
  const changes = workspace && before ? compareSnapshots(before, await takeSnapshot(workspace.path)) : undefined;
  if (options.json) {
    return context.printJson({ session, ...outcome, workspace: workspace?.path, files: changes, temporalUrl });
  }
  const { style } = context;
  const lines = summary({ outcome, session, style, changes, workspace: workspace?.path, temporalUrl });
  screen.gap();
  for (const line of [...lines, ...(outcome.provider === 'scripted' ? ownModelHint(style) : [])]) screen.line(line);
}

async function begin({ context, prompt, options }: RunInput): Promise<Begun> {
  const { settings } = context;
  const api = context.api();
  if (options.session !== undefined) {
    const { workspace: path, ...started } = await startInSession({ api, session: options.session, prompt });
    const workspace = await knownWorkspace(settings, path);
    return { ...started, workspace, before: await look(workspace) };
  }
  const session = newSessionId();
  const content = options.demo ? 'demo' : 'empty';
  const workspace = await prepareWorkspace({ settings, session, asked: options.workspace, content });
  const before = await look(workspace);
  const { provider, model } = options;
  const toolsets = options.toolsets?.split(',').map((name) => name.trim());
  const chosen = { workspace: workspace?.path, provider, model, toolsets };
  const started = await startNewSession({ api, session, prompt, ...chosen });
  return { ...started, workspace, before };
}

async function look(workspace: Workspace | undefined): Promise<Snapshot | undefined> {
  return workspace?.where === 'here' ? takeSnapshot(workspace.path) : undefined;
}

const silent: TurnWatcher = { show: () => {}, reconnecting: () => {} };

function shown({ screen, prompt, begun }: { screen: Screen; prompt: string; begun: Begun }): TurnWatcher {
  const { dim } = screen.style;
  screen.gap();
  screen.line(`${dim('›')} ${inertLine(prompt, 300)}`);
  screen.line(dim(`  session ${begun.session}`));
  if (begun.workspace) screen.line(dim(`  folder  ${inertLine(begun.workspace.path, 300)}`));
  const view = new RunView({ screen, workspace: begun.workspace?.path });
  return { show: (event) => view.show(event), reconnecting: () => view.reconnecting() };
}
