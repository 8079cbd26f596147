// By doors of their own, because this is loaded twice.
import { liveEnvironment } from '@everturn/core/config/live';
import { sealEnvironment } from '@everturn/tools/world/seal';

// Before anything reads it: tools of a worker on this machine could otherwise read our keys from /proc.
sealEnvironment({ environment: liveEnvironment() });
const { understandDecorators } = await import('./understand-decorators.ts');
// Before anything that has some is loaded.
understandDecorators();
await import('./start-api-process.ts');
