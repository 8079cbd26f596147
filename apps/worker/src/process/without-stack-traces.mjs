import v8 from 'node:v8';
import { isMainThread } from 'node:worker_threads';

// The SDK takes a stack trace of every promise in workflow code, for the query `__stack_trace`: a quarter of the CPU of
// a workflow thread, and half of what a cached workflow weighs. A runtime without promise hooks makes it leave that
// out, so its threads are given one.
if (!isMainThread) {
  v8.promiseHooks.createHook = () => {
    throw new Error('stack traces of workflows are off (EVERTURN_WORKFLOW_STACK_TRACES)');
  };
}
