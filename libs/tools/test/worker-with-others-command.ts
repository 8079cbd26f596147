// A program, run by root: starts commands that become another user's, is then no longer root itself, and tells what
// came of ending them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionId } from '@everturn/core/domain';
import { openLocalWorld } from '../src/world/index.ts';

const [folder = ''] = process.argv.slice(2);
const world = await openLocalWorld({ environment: process.env, spillRoot: folder });
const { processes } = world.ports;
const session = 'session' as SessionId;
const command = (name: string) => ({
  argv: ['setpriv', '--reuid=12345', '--clear-groups', 'sh', '-c', `echo said; : > ${name}; exec sleep 600`],
  cwd: folder,
  graceMs: 100,
  maxSpillBytes: 0,
  session,
});
const maxOutputBytes = { stdout: 100, stderr: 100 };
const stop = new AbortController();
const aborted = processes.run({ ...command('aborted'), maxOutputBytes, signal: stop.signal });
const started = await processes.start({ ...command('started'), maxUnreadBytes: 100, spillAfterBytes: 100 });
while (!['aborted', 'started'].every((name) => existsSync(join(folder, name)))) await sleep(20);
process.seteuid?.(54321);

stop.abort();
await started.terminate();
const [ofRun, ofStart] = [await aborted, await started.ended];
await world.endSession(session);
console.log(JSON.stringify({ ofRun, ofStart }));
process.seteuid?.(0);
await world.dispose();
