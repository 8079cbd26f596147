import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessGroup } from './process-group.ts';
import type { StartedChild } from './start-child.ts';

/**
 * How long output is awaited after the program itself has ended, at most its grace. What still holds the
 * pipe then was put into the background: it runs on until its session or the worker ends, unheard.
 */
const DRAIN_MS = 1_000;

/** Takes a stream piece by piece. */
export interface OutputSink {
  push(chunk: Buffer): Promise<void>;
}

/** Reads a stream to its end; back-pressure keeps a fast writer from filling memory. */
export async function readOutput(stream: Readable, sink: OutputSink, afterChunk?: () => void): Promise<void> {
  try {
    for await (const chunk of stream) {
      await sink.push(chunk as Buffer);
      afterChunk?.();
    }
  } catch {
    // a pipe torn down under the reader ends the output, which is what its end would have done
  }
}

export interface DrainOutputInput {
  child: StartedChild;
  /** Settles with the last of the child's streams. */
  ended: Promise<unknown>;
  group: ProcessGroup;
  graceMs: number;
  signal: AbortSignal;
}

/** Waits for the end of an ended program's output, but not for a background process that holds the pipe. */
export async function drainOutput({ child, ended, group, graceMs, signal }: DrainOutputInput): Promise<void> {
  if (await endsWithin(ended, Math.min(DRAIN_MS, graceMs), signal)) return;
  // Nobody of the group is left, so the end is there and this process was merely too busy to read it.
  if (!(await group.isAlive()) && (await endsWithin(ended, graceMs, signal))) return;
  // Still read, so that the background process does not die of a closed pipe; but no reason to stay alive for.
  for (const pipe of [child.stdout, child.stderr]) (pipe as Socket).unref();
}

async function endsWithin(ended: Promise<unknown>, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const stop = new AbortController();
  const limit = sleep(limitMs, false, { signal: AbortSignal.any([stop.signal, signal]) }).catch(() => false);
  const result = await Promise.race([ended.then(() => true), limit]);
  stop.abort();
  return result;
}
