/**
 * Loaded into a worker process before anything else (`node --import`), on its main thread and on every other.
 * At SIGUSR2 all of them collect their garbage, and the sum of what is left is written to EVERTURN_BENCH_HEAP_FILE.
 * Plain JavaScript, because stripping types would fill the heap of every thread with the stripper.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** Threads are idle when they are asked, so they answer within the time of a collection. */
const answersMs = 3_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const channel = new BroadcastChannel('everturn-bench-heap');
// A channel of threads has no origin.
const send = (message) => channel.postMessage(message); // oxlint-disable-line unicorn/require-post-message-target-origin

async function whatIsLeft() {
  // What only a finaliser holds goes at the second collection.
  collect();
  await setImmediate();
  collect();
  const { heapUsed: heap, external } = process.memoryUsage();
  return { heap, external };
}

if (isMainThread) process.on('SIGUSR2', () => void report());
else {
  channel.addEventListener('message', ({ data }) => {
    if (data === 'ask') void whatIsLeft().then(send);
  });
}
// It must not keep a thread alive that has nothing else to do.
channel.unref();

async function report() {
  const answers = [];
  const hear = ({ data }) => void answers.push(data);
  channel.addEventListener('message', hear);
  send('ask');
  await pause(answersMs);
  channel.removeEventListener('message', hear);
  answers.push(await whatIsLeft());
  const sum = (name) => answers.reduce((total, answer) => total + answer[name], 0);
  const file = process.env['EVERTURN_BENCH_HEAP_FILE'];
  const left = { heapBytes: sum('heap'), externalBytes: sum('external'), threads: answers.length };
  writeFileSync(`${file}.new`, JSON.stringify({ ...left, residentBytes: process.memoryUsage.rss() }));
  renameSync(`${file}.new`, file);
}
