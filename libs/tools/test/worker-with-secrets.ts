// A program: a worker's entry that hides its environment first and then runs the commands it is given.
import { openLocalWorld } from '../src/world/index.ts';
import { sealEnvironment } from '../src/world/secret-environment.ts';

const began = process.pid;
const sealed = sealEnvironment({ environment: process.env });
const secrets = {
  key: process.env['OPENAI_API_KEY'],
  url: process.env['DATABASE_URL'],
  other: process.env['X_NEW_SECRET'],
};
const world = await openLocalWorld({ environment: process.env });
const outputs: string[] = [];
for (const command of process.argv.slice(2)) {
  const { stdout } = await world.ports.processes.run({
    argv: ['bash', '-c', command],
    cwd: '/',
    signal: new AbortController().signal,
    graceMs: 1_000,
    maxOutputBytes: { stdout: 1_000_000, stderr: 1_000 },
    maxSpillBytes: 0,
  });
  outputs.push(stdout.text);
}
console.log(
  JSON.stringify({
    pid: began,
    parent: process.ppid,
    sealed,
    secrets,
    outputs,
    allow: process.env['NODE_CHANNEL_FD'] ?? null,
  }),
);
await world.dispose();
