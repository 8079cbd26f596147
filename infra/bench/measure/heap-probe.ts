/**
 * Loaded into a worker process before anything else (`node --import`), on its main thread and on every other.
 * At SIGUSR2 all of them collect their garbage, and the sum of what is left is written to EVERTURN_BENCH_HEAP_FILE.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** What is left after collection, in bytes; heaps of all threads together. */
export interface HeapReport {
  readonly heapBytes: number;
  readonly externalBytes: number;
  readonly residentBytes: number;
  readonly threads: number;
}

type Message = { ask: number } | { answer: number; heap: number; external: number };

/** Threads are idle when they are asked, so they answer within the time of a collection. */
const answersMs = 3_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const channel = new BroadcastChannel('everturn-bench-heap');
channel.unref();

async function whatIsLeft(): Promise<{ heap: number; external: number }> {
  // What only a finaliser holds goes at the second collection.
  collect();
  await setImmediate();
  collect();
  const { heapUsed: heap, external } = process.memoryUsage();
  return { heap, external };
}

if (isMainThread) {
  let asked = 0;
  process.on('SIGUSR2', () => {
    asked += 1;
    void report(asked);
  });
} else {
  channel.onmessage = async ({ data }) => {
    const message = data as Message;
    if ('ask' in message) channel.postMessage({ answer: message.ask, ...(await whatIsLeft()) });
  };
}

async function report(ask: number): Promise<void> {
  const answers: { heap: number; external: number }[] = [];
  channel.onmessage = ({ data }) => {
    const message = data as Message;
    if ('answer' in message && message.answer === ask) answers.push(message);
  };
  channel.postMessage({ ask });
  await pause(answersMs);
  answers.push(await whatIsLeft());
  const sum = (of: (answer: { heap: number; external: number }) => number) =>
    answers.reduce((total, answer) => total + of(answer), 0);
  const file = process.env['EVERTURN_BENCH_HEAP_FILE'] ?? '';
  const result: HeapReport = {
    heapBytes: sum(({ heap }) => heap),
    externalBytes: sum(({ external }) => external),
    residentBytes: process.memoryUsage.rss(),
    threads: answers.length,
  };
  writeFileSync(`${file}.new`, JSON.stringify(result));
  renameSync(`${file}.new`, file);
}
