import { liveEnvironment } from '@everturn/core/config';
import { sealEnvironment } from '@everturn/tools/world';

// First of all, and before anything reads it: commands of the model could otherwise read our keys from /proc.
sealEnvironment({ environment: liveEnvironment() });
const { startWorkerProcess } = await import('./process/start-worker-process.ts');
await startWorkerProcess();
