// A program: `worker-with-command.ts <data directory> <directory> <command>` runs one command as a worker would.
import type { SessionId } from '@everturn/core/domain';
import { join } from 'node:path';
import { openLocalWorld } from '../src/world/index.ts';

const [dataDir = '', cwd = '', command = ''] = process.argv.slice(2);
const world = await openLocalWorld({ environment: process.env, dataDir, spillRoot: join(dataDir, 'spill') });
await world.ports.processes.run({
  argv: ['bash', '-c', command],
  cwd,
  signal: new AbortController().signal,
  graceMs: 1_000,
  maxOutputBytes: { stdout: 1_000, stderr: 1_000 },
  maxSpillBytes: 0,
  session: 'session' as SessionId,
});
setInterval(() => undefined, 60_000); // a worker stays
