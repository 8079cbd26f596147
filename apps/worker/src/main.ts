// By doors of their own, because this is loaded twice.
import { keepsStackTraces, liveEnvironment } from '@everturn/core/config/live';
import { sealEnvironment } from '@everturn/tools/world/seal';

// First of all, and before anything reads it: commands of the model could otherwise read our keys from /proc.
const environment = liveEnvironment();
const withoutStackTraces = ['--import', new URL('process/without-stack-traces.mjs', import.meta.url).href];
// Else V8 lets the space of young objects grow to 128 MB, which no garbage collection gives back.
const modestHeap = ['--max-semi-space-size=16'];
sealEnvironment({
  environment,
  nodeArguments: [...modestHeap, ...(keepsStackTraces(environment) ? [] : withoutStackTraces)],
});
const { startWorkerProcess } = await import('./process/start-worker-process.ts');
await startWorkerProcess();
