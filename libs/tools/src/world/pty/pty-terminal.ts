import { ToolError, utf8Tail, type SendInput, type SendOutcome, type Terminal } from '../../kit/index.ts';
import type { TerminalExit, TerminalLines, TerminalSignal, ToolSettings } from '../../kit/index.ts';
import { endTree, type Tree } from './end-tree.ts';
import { Foreground } from './foreground.ts';
import type { Pty } from './host/pty-host.ts';
import type { TerminalScreen } from './terminal-screen.ts';
import { waitForReadiness } from './wait-for-readiness.ts';

export interface PtyTerminalInput {
  id: string;
  pty: Pty;
  screen: TerminalScreen;
  tree: Tree;
  settings: ToolSettings['terminal'];
  /** Gives back what confined it, once nothing of it runs. */
  release(): Promise<void>;
}

/** A shell in a terminal that the host holds. */
export class PtyTerminal implements Terminal {
  readonly pid: number;
  readonly startup: string;
  readonly #input: PtyTerminalInput;
  readonly #foreground: Foreground;
  /** The group the shell itself is in, which may be below a sandbox's. */
  readonly #shellGroup: Promise<number | undefined>;
  #sending = false;

  /** The shell stands at its first prompt. */
  constructor(input: PtyTerminalInput) {
    this.#input = input;
    this.pid = input.pty.pid;
    this.#foreground = new Foreground(this.pid);
    this.#shellGroup = this.#foreground.group();
    this.startup = input.screen.beforePrompt();
  }

  get exit(): TerminalExit | undefined {
    return this.#input.screen.exit;
  }

  get prompt(): Terminal['prompt'] {
    return this.#input.screen.prompt;
  }

  async send({ text, signal, timeoutMs }: SendInput): Promise<SendOutcome> {
    const { id, screen, settings } = this.#input;
    if (this.#sending) throw new ToolError('SEND_ACTIVE', `PTY session ${id} already has an active send`);
    this.#sending = true;
    try {
      const from = screen.end;
      const prompts = screen.prompt.count;
      if (signal.aborted) throw new ToolError('ABORTED', 'terminal send aborted');
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      if ((await this.write(text, inTime)) === 'cut' && !signal.aborted)
        throw new Error(
          `the program in ${id} does not read: within ${timeoutMs}ms it took only part of the text, and the rest was dropped. terminal_signal can interrupt it`,
        );
      const foreground = this.#foreground;
      const wait = (limit: { signal?: AbortSignal; timeoutMs: number }) =>
        waitForReadiness({ screen, foreground, settings, prompts, ...limit });
      const reason = await wait({ signal, timeoutMs });
      if (reason === 'aborted') {
        await this.signal('SIGINT').catch(() => undefined); // it may just have ended
        await wait({ timeoutMs: settings.graceMs });
        throw new ToolError('ABORTED', 'terminal send aborted');
      }
      const printed = screen.textFrom(from);
      const kept = utf8Tail(printed.text, settings.maxResultBytes);
      return { text: kept, truncated: printed.lost || kept.length < printed.text.length, reason };
    } finally {
      this.#sending = false;
    }
  }

  read(input: { offset: number; count: number }): TerminalLines {
    const found = this.#input.screen.lines(input);
    const text = utf8Tail(found.text, this.#input.settings.maxReadBytes);
    const cut = found.text.slice(0, found.text.length - text.length).split('\n').length - 1;
    return { ...found, text, begin: found.begin + cut };
  }

  async signal(signal: TerminalSignal): Promise<number> {
    const group = await this.#foreground.group();
    if (group === undefined || this.exit) throw new Error('the foreground process group cannot be told: nothing runs');
    if (signal === 'SIGKILL' && group === (await this.#shellGroup))
      throw new Error('SIGKILL would end the shell itself: nothing else runs in the foreground. Use terminal_close');
    process.kill(-group, signal);
    // What is typed next would go to the one that is about to end: a read that was woken by both takes it along.
    const { settings, screen } = this.#input;
    for (const until = performance.now() + settings.handoffMs; performance.now() < until; await screen.changed(20))
      if (screen.exit || (await this.#foreground.group()) !== group) break;
    return group;
  }

  async write(text: string, signal: AbortSignal): Promise<'taken' | 'cut'> {
    if (this.exit) return 'taken';
    await this.#foreground.mark();
    return this.#input.pty.write(text, signal);
  }

  onText(listener: (text: string) => void): () => void {
    return this.#input.screen.onText(listener);
  }

  changed(ms: number): Promise<void> {
    return this.#input.screen.changed(ms);
  }

  async waitsForInput(): Promise<boolean> {
    return (await this.#foreground.reader()) !== undefined;
  }

  async dispose(): Promise<void> {
    const { tree, pty, screen, settings } = this.#input;
    screen.closing = true;
    await endTree(tree, settings.graceMs);
    pty.close();
    for (const until = performance.now() + settings.graceMs; !screen.exit && performance.now() < until;)
      await screen.changed(settings.pollMs);
    await this.#input.release();
  }
}
