// A program: `node --expose-gc worker-with-output.ts <command>` runs one bash call and tells its result and how much
// more memory was in use at any time than before.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallId, SessionId } from '@everturn/core/domain';
import { executeTool } from '../src/activity.ts';
import { resultText, ToolSettings } from '../src/kit/index.ts';
import { openLocalWorld } from '../src/world/index.ts';

const cwd = mkdtempSync(join(tmpdir(), 'everturn-test-'));
const world = await openLocalWorld({ environment: process.env });
/** What is still held after a collection: how late garbage is collected depends on how busy the machine is. */
function held(): number {
  globalThis.gc?.();
  globalThis.gc?.(); // waits for the sweeping of the first
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const before = held();
let peak = before;
let looks = 0;
let watch: NodeJS.Timeout;
(function look() {
  peak = Math.max(peak, held());
  looks += 1;
  watch = setTimeout(look, 100); // counted from here, so that looking leaves time for what is looked at
})();
const result = await executeTool({
  name: 'bash',
  args: { command: process.argv[2] ?? '', description: 'Run it', timeoutMs: 600_000 },
  context: {
    initiator: { session: 'session' as SessionId, turn: 1, step: 1, call: 0 },
    callId: 'call' as CallId,
    idempotencyKey: 'key',
    signal: new AbortController().signal,
    cwd,
    managedEnvironment: {},
    settings: ToolSettings.parse({}),
    sandbox: { mode: 'danger-full-access', network: 'full', root: process.cwd(), limits: {} },
    ports: world.ports,
    resources: world.resources.of('session' as SessionId),
  },
});
clearTimeout(watch!);
await world.dispose();
rmSync(cwd, { recursive: true });
const { isError } = result;
process.stdout.write(
  JSON.stringify({ result: { text: resultText(result), isError }, growthBytes: peak - before, looks }),
);
