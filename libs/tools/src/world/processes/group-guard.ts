import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Lives as long as its standard input is open, which is as long as the worker lives, and then kills the groups
 * it was told of. `kill -9` of a worker runs no code there, and a parent-death signal reaches the child only,
 * not what the child started; a process of its own catches all of them at once.
 */
const SCRIPT = `
groups=' '
while read -r change id; do
  case $change in
    +) groups="$groups$id " ;;
    -) case $groups in *" $id "*) groups="\${groups%% $id *} \${groups#* $id }" ;; esac ;;
  esac
done
for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
`;

/** Tells a small companion process which groups must not outlive this one. */
export class GroupGuard {
  #companion: ChildProcess | undefined;

  /** Starts the companion; without it (no `sh`) orphans are reaped at the next start only. */
  start(): void {
    if (this.#companion || process.platform === 'win32') return;
    const companion = spawn('/bin/sh', ['-c', SCRIPT], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true, // a terminal's Ctrl-C must not take it down before the worker
    });
    companion.on('error', () => undefined);
    companion.stdin?.on('error', () => undefined);
    companion.unref();
    // A pipe need not keep this process alive; the type knows it as any stream.
    (companion.stdin as unknown as { unref?(): void } | null)?.unref?.();
    this.#companion = companion;
  }

  add(group: number): void {
    this.#companion?.stdin?.write(`+ ${group}\n`);
  }

  remove(group: number): void {
    this.#companion?.stdin?.write(`- ${group}\n`);
  }

  /** Ends the companion, which kills what it still knows of. */
  stop(): void {
    this.#companion?.stdin?.end();
    this.#companion = undefined;
  }
}
