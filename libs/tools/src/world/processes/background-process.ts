import type { BackgroundProcess, StartProcessInput, UnreadOutput } from '../../kit/index.ts';
import { OutputSpill } from './output-spill.ts';
import type { ProcessGroup } from './process-group.ts';
import { drainOutput, readOutput } from './read-output.ts';
import type { StartedChild } from './start-child.ts';
import { UnreadStream } from './unread-output.ts';

export interface WatchBackgroundInput {
  input: StartProcessInput;
  child: StartedChild;
  group: ProcessGroup;
  /** Private directory for long output. */
  folder: string;
}

/** Reads a started child's output until it ends, for whoever asks. */
export function watchBackground({ input, child, group, folder }: WatchBackgroundInput): BackgroundProcess {
  const { graceMs } = input;
  const stdout = new UnreadStream({ ...limitsOf(input), ...spillOf(input, folder, 'stdout') });
  const stderr = new UnreadStream({ ...limitsOf(input), ...spillOf(input, folder, 'stderr') });
  let state: 'running' | 'terminating' | 'ended' = 'running';
  const stuck = Promise.withResolvers<'left'>();
  const terminate = async () => {
    if (state === 'ended') return;
    state = 'terminating';
    if ((await group.terminate(graceMs)) === 'left') stuck.resolve('left');
  };
  const watch = async () => {
    const ended = Promise.all([readOutput(child.stdout, stdout), readOutput(child.stderr, stderr)]);
    const exit = await Promise.race([child.exited, stuck.promise]);
    if (exit !== 'left' && state === 'terminating') await group.terminate(graceMs); // what it started may outlive it
    await drainOutput({ child, ended, group, graceMs, signal: new AbortController().signal });
    state = 'ended';
    await Promise.all([stdout.finish(), stderr.finish()]);
    const stderrTail = stderr.tail;
    if (exit === 'left') return { exitCode: null, signal: null, stderrTail, unended: true as const };
    return { exitCode: exit.code, signal: exit.signal, stderrTail };
  };
  const read = (): UnreadOutput => {
    const when = state === 'ended' ? 'last' : 'more';
    const [out, err] = [stdout.read(when), stderr.read(when)];
    const files = [stdout.path, stderr.path].filter((path) => path !== undefined);
    return { stdout: out.text, stderr: err.text, ...((out.dropped || err.dropped) && { dropped: { files } }) };
  };
  return { read, ended: watch(), terminate };
}

const limitsOf = ({ maxUnreadBytes, spillAfterBytes }: StartProcessInput) => ({
  maxBytes: maxUnreadBytes,
  spillAfterBytes,
});

function spillOf({ maxSpillBytes }: StartProcessInput, folder: string, stream: 'stdout' | 'stderr') {
  return maxSpillBytes === 0 ? {} : { spill: new OutputSpill({ folder, stream, maxBytes: maxSpillBytes }) };
}
