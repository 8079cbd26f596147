import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import {
  ToolError,
  type OpenTerminalInput,
  type PowershellPort,
  type SandboxPort,
  type Terminal,
  type TerminalsPort,
} from '../../kit/index.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import type { GroupRegistry } from '../processes/group-registry.ts';
import { ProcessGroup } from '../processes/process-group.ts';
import { readProcess } from '../processes/process-table.ts';
import { Foreground } from './foreground.ts';
import { endTree, innerShell, type Tree } from './end-tree.ts';
import { PtyHost, type Pty } from './host/pty-host.ts';
import { PtyTerminal } from './pty-terminal.ts';
import { localeFor, SHELL_BACKENDS } from './shell-backends.ts';
import { TerminalScreen } from './terminal-screen.ts';

export interface LocalTerminalsInput {
  registry: GroupRegistry;
  sandbox: SandboxPort;
  /** See `inheritedEnvironment`. */
  inherited: Readonly<Record<string, string>>;
  powershell: PowershellPort;
}

/** Terminals of this machine. */
export class LocalTerminals implements TerminalsPort {
  readonly backends = [...SHELL_BACKENDS.keys()];
  readonly #input: LocalTerminalsInput;
  readonly #host = new PtyHost();

  constructor(input: LocalTerminalsInput) {
    this.#input = input;
  }

  async open(input: OpenTerminalInput): Promise<Terminal> {
    const { settings, id } = input;
    const backend = SHELL_BACKENDS.get(input.backend);
    if (!backend) throw new ToolError('NO_BACKEND', `no PTY backend registered for "${input.backend}"`);
    const nonce = randomBytes(8).toString('hex');
    const { environment, marks } = this.#environment(input, backend.environment({ nonce }));
    const shell = await backend.argv({ nonce, searchPath: environment['PATH'], powershell: this.#input.powershell });
    const screen = new TerminalScreen({
      nonce,
      maxLines: settings.scrollbackLines,
      maxCharacters: settings.scrollbackBytes,
    });
    input.signal.throwIfAborted();
    const confined = await this.#input.sandbox.wrap(input.confine, shell, input.cwd);
    const opening = this.#host.open({
      argv: confined.argv,
      cwd: input.cwd,
      environment: childEnvironment(environment, confined.environment),
      columns: settings.columns,
      rows: settings.rows,
      onText: (text) => screen.print(text),
      onExit: ({ code, signal }) => screen.ended(exitOf(code, signal)),
    });
    const pty = await inTime(opening, input).catch(async (error: unknown) => {
      void opening.then((late) => late.close()).catch(() => undefined);
      await confined.release();
      throw error;
    });
    this.#input.registry.add(new ProcessGroup(pty.pid), input.session);
    const tree = await this.#treeOf(pty, marks);
    try {
      await untilPrompt(screen, input);
    } catch (error) {
      await endTree(tree, settings.graceMs);
      pty.close();
      await confined.release();
      throw error;
    }
    const inner = await innerShell(await new Foreground(pty.pid).group(), tree.shell);
    return new PtyTerminal({ id, pty, screen, tree: { ...tree, inner }, settings, release: confined.release });
  }

  /** Ends the process that holds them; whoever opened them has ended them before. */
  dispose(): Promise<void> {
    return this.#host.dispose();
  }

  #environment({ environment, session, id }: OpenTerminalInput, own: Record<string, string>) {
    const { inherited, registry } = this.#input;
    const marks = {
      ...registry.marks(session),
      EVERTURN_SESSION_ID: session,
      EVERTURN_PTY_SESSION_ID: id,
    };
    const shell = { TERM: 'dumb', NO_COLOR: '1', PAGER: 'cat', GIT_PAGER: 'cat', ...localeFor(inherited), ...own };
    return { environment: childEnvironment(inherited, { ...shell, ...environment, ...marks }), marks };
  }

  async #treeOf({ pid }: Pty, marks: Tree['marks']): Promise<Tree> {
    const shell = await readProcess(pid);
    return {
      shell: shell ?? { pid, parent: 0, group: pid, session: pid, zombie: true, startTime: '' },
      inner: [],
      marks,
    };
  }
}

/** The host opens at once, unless something is wrong with it. */
async function inTime(opening: Promise<Pty>, { signal, settings, backend }: OpenTerminalInput): Promise<Pty> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new ToolError('ABORTED', 'tool call aborted'));
  const tooLate = new Error(`no terminal for the ${backend} within ${settings.readyTimeoutMs}ms`);
  const timer = setTimeout(() => reject(tooLate), settings.readyTimeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([opening, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function untilPrompt(screen: TerminalScreen, { settings, signal, backend }: OpenTerminalInput): Promise<void> {
  const until = performance.now() + settings.readyTimeoutMs;
  while (screen.prompt.count === 0) {
    if (screen.exit) throw new Error(`PTY shell exited during startup${after(screen)}`);
    if (signal.aborted) throw new ToolError('ABORTED', 'tool call aborted');
    if (performance.now() >= until)
      throw new Error(`the ${backend} showed no prompt within ${settings.readyTimeoutMs}ms${after(screen)}`);
    await screen.changed(settings.pollMs);
  }
}

const after = (screen: TerminalScreen): string => {
  const text = screen.textFrom(0).text.trim().slice(-500);
  return text === '' ? '' : `: ${text}`;
};

function exitOf(code: number | null, signal: number | null) {
  const name = signal ? Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] : undefined;
  return name === undefined ? { code, signal: null } : { code: null, signal: name };
}
