// A program: holds the terminals of one worker and speaks to it over Node's channel. A process of its own because the
// library leaves the masters of its terminals open to whatever the process starts next: commands of one session could
// read and type into the terminals of another. Here nothing is started but shells, and these close all they inherit.
import { spawn, type IPty } from '@lydell/node-pty';
import type { FromHost, ToHost } from './messages.ts';
import { Typing } from './typing.ts';

/** Beyond this the worker is behind, and the program in the terminal has to wait. */
const MOST_UNTAKEN = 512 * 1024;

const CLOSE_INHERITED =
  'for fd in /dev/fd/*; do fd=${fd##*/}; case $fd in 0|1|2) ;; *[!0-9]*) ;; *) eval "exec $fd>&-" ;; esac; done; exec "$@"';

interface Held {
  pty: IPty;
  typing: Typing;
  untaken: number;
  paused: boolean;
}
const held = new Map<number, Held>();

const tell = (message: FromHost): void => void process.send?.(message);

process.on('message', (message: ToHost) => {
  switch (message.kind) {
    case 'open':
      return open(message);
    case 'write':
      return write(message);
    case 'drop':
      return held.get(message.id)?.typing.drop();
    case 'taken':
      return taken(message);
    case 'close':
      return held.get(message.id)?.pty.kill('SIGHUP');
  }
});
// The worker is gone: closing the masters hangs up on every shell.
process.on('disconnect', () => process.exit(0));

function open({ id, argv, cwd, environment, columns, rows }: Extract<ToHost, { kind: 'open' }>): void {
  try {
    const shim = ['--noprofile', '--norc', '-c', CLOSE_INHERITED, 'sh', ...argv];
    const pty = spawn('/bin/bash', shim, { name: 'dumb', cwd, env: { ...environment }, cols: columns, rows });
    const { fd, _socket: socket } = pty as unknown as Internals;
    const typing = new Typing(fd, () => held.has(id) && !socket.destroyed);
    const entry: Held = { pty, typing, untaken: 0, paused: false };
    held.set(id, entry);
    ignoreErrors(pty);
    tell({ kind: 'opened', id, pid: pty.pid });
    pty.onData((text) => {
      entry.untaken += text.length;
      if (!entry.paused && entry.untaken > MOST_UNTAKEN) {
        entry.paused = true;
        pty.pause();
      }
      tell({ kind: 'text', id, text });
    });
    pty.onExit(({ exitCode, signal }) => {
      held.delete(id);
      tell({ kind: 'exit', id, code: exitCode, ...(signal !== undefined && { signal }) });
    });
  } catch (error) {
    tell({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
}

function taken({ id, characters }: Extract<ToHost, { kind: 'taken' }>): void {
  const entry = held.get(id);
  if (!entry) return;
  entry.untaken -= characters;
  if (entry.paused && entry.untaken < MOST_UNTAKEN / 2) {
    entry.paused = false;
    entry.pty.resume();
  }
}

/** What node-pty has and its types do not say. */
interface Internals {
  fd: number;
  _socket: { destroyed: boolean };
  on?(event: 'error', listener: () => void): void;
}

function write({ id, write: number, text }: Extract<ToHost, { kind: 'write' }>): void {
  held.get(id)?.typing.type(text, () => tell({ kind: 'written', id, write: number }));
}

/** It throws what fewer than two listeners hear; a terminal that fails ends, and that is told. */
function ignoreErrors(pty: IPty): void {
  const emitter = pty as unknown as Internals;
  emitter.on?.('error', () => undefined);
  emitter.on?.('error', () => undefined);
}
