import type { SandboxMode } from '@everturn/core/domain';
import type { SessionResource } from '../resources-port.ts';
import type { Terminal } from '../terminals-port.ts';
import type { ToolRunContext } from '../tool-context.ts';
import type { ShellDialect } from './shell-dialect.ts';

/** A session's one shell of a kind, between its calls. */
export class KeptShell implements SessionResource {
  readonly terminal: Terminal;
  /** What it may do for as long as it runs. */
  readonly mode: SandboxMode;
  /** The last command waits for input that never comes. */
  unfinished = false;
  /** A command did away with the prompt; nothing is to be expected from it any more. */
  promptless = false;
  /** What a model has to be told of this shell before anything else. */
  news: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ terminal, mode, news }: Pick<KeptShell, 'terminal' | 'mode' | 'news'>) {
    this.terminal = terminal;
    this.mode = mode;
    this.news = news;
  }

  /** Runs one after the other what is asked at once. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  dispose(): Promise<void> {
    return this.terminal.dispose();
  }
}

/** That the end of the last shell was told; a shell that died with its worker could tell nobody. */
class Told implements SessionResource {
  async dispose(): Promise<void> {}
}
const LOST =
  '[the shell of the calls before is gone: this one is new, without their directory, variables and functions]';

/** What the keys of kept shells begin with. */
export const KEPT_SHELL = 'shell/';
const keyOf = ({ name }: ShellDialect): string => KEPT_SHELL + name;
const toldOf = ({ name }: ShellDialect): string => `shell-told/${name}`;

/** The session's shell, started in its workspace when there is none. */
export async function keptShell(context: ToolRunContext, dialect: ShellDialect): Promise<KeptShell> {
  const { resources, ports, settings, initiator, cwd, managedEnvironment, sandbox: confine } = context;
  const held = resources.find(keyOf(dialect));
  // A switch of mode is refused while a shell runs; this one was being started at that very moment.
  if (held instanceof KeptShell && held.mode !== confine.mode) await resources.close(keyOf(dialect));
  return resources.open(keyOf(dialect), async (ending) => {
    const signal = AbortSignal.any([context.signal, ending]);
    const { session } = initiator;
    const place = {
      session,
      id: `shell-${dialect.name}`,
      backend: dialect.backend,
      cwd,
      environment: managedEnvironment,
    };
    const terminal = await ports.terminals.open({ ...place, confine, settings: settings.terminal, signal });
    try {
      const { reason } = await terminal.send({
        text: `${dialect.setup}\r`,
        signal,
        timeoutMs: settings.terminal.readyTimeoutMs,
      });
      if (reason === 'session_exit' || reason === 'timeout')
        throw new Error(`the shell could not be set up (${reason}); the next call tries again`);
      const isFirst = resources.next(keyOf(dialect)) === 1;
      const news = isFirst || resources.has(toldOf(dialect)) ? undefined : LOST;
      await resources.close(toldOf(dialect));
      return new KeptShell({ terminal, mode: confine.mode, news });
    } catch (error) {
      await terminal.dispose();
      throw error;
    }
  });
}

/** Ends the session's shell; the next call starts another, which says so unless the caller does. */
export async function endShell(
  { resources }: ToolRunContext,
  { dialect, shell, told }: { dialect: ShellDialect; shell: KeptShell; told: boolean },
): Promise<void> {
  // Whoever waited for its turn may find the next shell there already.
  if (resources.find(keyOf(dialect)) === shell) await resources.close(keyOf(dialect));
  if (told) await resources.open(toldOf(dialect), async () => new Told());
}
