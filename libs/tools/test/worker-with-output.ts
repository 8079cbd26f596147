// A program: `worker-with-output.ts <command>` runs one bash call and tells its result and how far memory grew.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallId, SessionId } from '@everturn/core/domain';
import { executeTool } from '../src/activity.ts';
import { resultText, ToolSettings } from '../src/kit/index.ts';
import { openLocalWorld } from '../src/world/index.ts';

const world = await openLocalWorld({ environment: process.env });
const before = process.memoryUsage().rss;
let peak = before;
const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
const result = await executeTool({
  name: 'bash',
  args: { command: process.argv[2] ?? '', description: 'Run it' },
  context: {
    initiator: { session: 'session' as SessionId, turn: 1, step: 1, call: 0 },
    callId: 'call' as CallId,
    idempotencyKey: 'key',
    signal: new AbortController().signal,
    cwd: mkdtempSync(join(tmpdir(), 'everturn-test-')),
    managedEnvironment: {},
    settings: ToolSettings.parse({}),
    sandbox: { mode: 'danger-full-access', network: 'full', root: process.cwd(), limits: {} },
    ports: world.ports,
    resources: world.resources.of('session' as SessionId),
  },
});
clearInterval(watch);
await world.dispose();
const { isError } = result;
process.stdout.write(JSON.stringify({ result: { text: resultText(result), isError }, growthBytes: peak - before }));
