import { parentPort } from 'node:worker_threads';
import { Isolate } from './isolate.ts';
import { stillClock } from './still-clock.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

/** What a thread of the pool runs: one program at a time, whose isolate is kept between its answers. */
const clock = stillClock();
let isolate: Isolate | undefined;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port is no window
const tell = (message: FromThread) => parentPort?.postMessage(message);
const listener = {
  onCall: (call: Extract<FromThread, { type: 'call' }>['call']) => tell({ type: 'call', call }),
  onLog: (text: string) => tell({ type: 'log', text }),
};

async function take(message: ToThread): Promise<void> {
  switch (message.type) {
    case 'open': {
      const opened = await Isolate.open(message.program, clock, listener);
      isolate = opened.isolate;
      return tell({ type: 'state', state: opened.state });
    }
    case 'answer':
      if (!isolate) throw new TypeError('answers to no program');
      return tell({ type: 'state', state: isolate.answer(message.answers) });
    case 'close': {
      const heldBytes = isolate?.heldBytes ?? 0;
      isolate = undefined; // with its engine, which is memory of its own
      return tell({ type: 'closed', heldBytes });
    }
  }
}

// An error here is the thread's end, and with it the program's: `worker-exit`.
parentPort?.on('message', (message: ToThread) => {
  take(message).catch((error: unknown) => {
    throw error;
  });
});
