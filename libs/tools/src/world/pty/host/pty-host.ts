import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromHost, ToHost } from './messages.ts';

export interface OpenPtyInput extends Pick<
  Extract<ToHost, { kind: 'open' }>,
  'argv' | 'cwd' | 'environment' | 'columns' | 'rows'
> {
  onText(text: string): void;
  /** Called once, after the last text. `null` twice when the host died. */
  onExit(exit: { code: number | null; signal: number | null }): void;
}

/** A terminal in the host. */
export interface Pty {
  readonly pid: number;
  /** Resolves once the terminal has taken the text, or is gone; `cut`: the signal came first, and the rest is dropped. */
  write(text: string, signal: AbortSignal): Promise<'taken' | 'cut'>;
  /** Hangs up. */
  close(): void;
}

interface Entry {
  input: OpenPtyInput;
  opened: PromiseWithResolvers<number>;
  writes: Map<number, () => void>;
}

/** The process that holds a worker's terminals, started when the first is opened. */
export class PtyHost {
  #child: ChildProcess | undefined;
  readonly #entries = new Map<number, Entry>();
  #ids = 0;
  #writes = 0;

  async open(input: OpenPtyInput): Promise<Pty> {
    const id = (this.#ids += 1);
    const entry: Entry = { input, opened: Promise.withResolvers(), writes: new Map() };
    this.#entries.set(id, entry);
    const { argv, cwd, environment, columns, rows } = input;
    this.#send({ kind: 'open', id, argv, cwd, environment, columns, rows });
    this.#child?.channel?.ref(); // until the last terminal is gone
    const pid = await entry.opened.promise;
    return {
      pid,
      write: (text, signal) => this.#write(id, entry, { text, signal }),
      close: () => this.#send({ kind: 'close', id }),
    };
  }

  /** Ends the host, which hangs up on whatever is left. */
  async dispose(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.signalCode === null) child.disconnect();
    else return;
    child.ref();
    await ended;
  }

  async #write(id: number, entry: Entry, input: { text: string; signal: AbortSignal }): Promise<'taken' | 'cut'> {
    const { text, signal } = input;
    if (this.#entries.get(id) !== entry) return 'taken';
    if (signal.aborted) return 'cut';
    const write = (this.#writes += 1);
    const { promise, resolve } = Promise.withResolvers<'taken' | 'cut'>();
    const cut = () => {
      entry.writes.delete(write);
      this.#send({ kind: 'drop', id });
      resolve('cut');
    };
    entry.writes.set(write, () => resolve('taken'));
    signal.addEventListener('abort', cut, { once: true });
    this.#send({ kind: 'write', id, write, text });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cut);
    }
  }

  #send(message: ToHost): void {
    this.#child ??= this.#start();
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
      cwd: '/',
      env: {}, // shells can read the environment of their parent, which this is
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true, // a terminal's Ctrl-C is for the worker to handle
    });
    child.on('message', (message: FromHost) => this.#hear(message));
    const gone = () => {
      if (this.#child === child) this.#child = undefined;
      for (const [id, entry] of this.#entries) {
        entry.opened.reject(new Error('cannot open a terminal: the process that holds terminals ended'));
        this.#end(id, entry, { code: null, signal: null });
      }
    };
    child.on('error', gone);
    child.on('exit', gone);
    child.unref();
    child.channel?.unref();
    return child;
  }

  #hear(message: FromHost): void {
    const entry = this.#entries.get(message.id);
    if (!entry) return;
    switch (message.kind) {
      case 'opened':
        return entry.opened.resolve(message.pid);
      case 'failed':
        this.#forget(message.id);
        return entry.opened.reject(new Error(`cannot open a terminal: ${message.message}`));
      case 'text':
        entry.input.onText(message.text);
        return this.#send({ kind: 'taken', id: message.id, characters: message.text.length });
      case 'written':
        entry.writes.get(message.write)?.();
        return void entry.writes.delete(message.write);
      case 'exit':
        return this.#end(message.id, entry, { code: message.code, signal: message.signal ?? null });
    }
  }

  #forget(id: number): boolean {
    const known = this.#entries.delete(id);
    if (this.#entries.size === 0) this.#child?.channel?.unref();
    return known;
  }

  #end(id: number, entry: Entry, exit: { code: number | null; signal: number | null }): void {
    if (!this.#forget(id)) return;
    for (const done of entry.writes.values()) done();
    entry.input.onExit(exit);
  }
}
