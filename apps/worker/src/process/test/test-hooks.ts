import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { workerConfig, type HooksConfig } from '@everturn/core/config';
import { text, type CallId, type HostId } from '@everturn/core/domain';
import type { ScriptedModel } from '@everturn/core/providers';
import type { InterceptInput, Interception, RequestedCall } from '../../contract/index.ts';
import { addHooks } from '../add-hooks.ts';
import type { Projection } from '../../projection/index.ts';
import type { ActivityDeps } from '../../activities/activity-deps.ts';
import { interceptActivity } from '../../activities/intercept.ts';
import { attempt, testProcess } from '../../activities/testing/test-process.ts';
import { insideStep } from '../../activities/testing/test-turn.ts';

const filesFolder = mkdtempSync(join(tmpdir(), 'everturn-hooks-'));
afterAll(() => rmSync(filesFolder, { recursive: true, force: true }));
let files = 0;

/** Writes a file of hooks and answers where it lies. */
export function hooksFile(content: unknown): string {
  const path = join(filesFolder, `hooks-${++files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** What a worker reads out of a file of hooks; throws what it refuses. */
export function hooksOf(content: unknown, environment: Record<string, string> = {}): HooksConfig {
  const { hooks } = workerConfig({
    DATABASE_URL: 'postgres://localhost/none',
    TEMPORAL_ADDRESS: 'localhost:1',
    EVERTURN_HOOKS_FILE: hooksFile(content),
    ...environment,
  });
  return hooks as HooksConfig;
}

export interface TestHooksInput {
  projection: Projection;
  model: ScriptedModel;
  /** The worker's own. */
  folder: string;
  /** Of the file of hooks. */
  content: unknown;
  environment?: Record<string, string>;
  /** Takes what the worker warns of. */
  warnings?: unknown[];
  /** Of its host, `hooked`; absent: it is no worker of a host that others know. */
  epoch?: number;
}

/** A worker with these hooks, and how it asks at a point. */
export async function testHooks(input: TestHooksInput) {
  const { projection, model, folder, warnings = [], epoch } = input;
  const host = epoch === undefined ? undefined : { id: 'hooked' as HostId, epoch };
  const deps = await testProcess({ projection, model, ...(host && { host }) });
  addHooks({
    ...deps,
    settings: hooksOf(input.content, input.environment),
    config: { dataDir: folder } as never,
    world: { ports: deps.ports } as never,
    log: { warn: (...told: unknown[]) => warnings.push(told.at(-1)) } as never,
  });
  return { deps, ask: async (interception: Interception) => answerOf(deps, await askAbout(deps, interception)) };
}

/** A question inside a step of a new session. */
export async function askAbout(deps: ActivityDeps, interception: Interception): Promise<InterceptInput> {
  const { ref } = await insideStep(deps);
  const claim = `t1.s1.hook:${interception.point}:${'call' in interception ? 0 : ''}`;
  return { ...ref, turn: 1, step: 1, claim, interception, commit: { events: [], highestAcknowledged: -1 } };
}

/** What is answered, without what every answer has. */
export async function answerOf(deps: ActivityDeps, input: InterceptInput) {
  const { acks: _acks, registry: _registry, ...answer } = await attempt(interceptActivity(deps), input).result;
  return answer;
}

/** Parts of a file of hooks. */
export const group = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, ...more }] });
export const claude = (event: string, ...groups: object[]) => ({ claude: { hooks: { [event]: groups } } });
export const codex = (event: string, ...groups: object[]) => ({ codex: { hooks: { [event]: groups } } });
/** A command that prints JSON. */
export const print = (value: object) => `echo '${JSON.stringify(value)}'`;

const call: RequestedCall = {
  index: 0,
  callId: 'c1' as CallId,
  name: 'bash',
  arguments: '{"command":"ls"}',
  concurrency: 'exclusive',
};
/** What hooks are asked about. */
export const about = {
  preTool: { point: 'tools/pre-execute', call },
  postTool: { point: 'tools/post-execute', call, outcome: { content: [text('found')], isError: false } },
  submit: { point: 'agent/prompt-submit', content: [text('hello')], source: { kind: 'user' } },
  start: { point: 'agent/session-start', source: 'resume' },
  stop: { point: 'agent/turn-continuation', decision: 'stop' },
} satisfies Record<string, Interception>;

/** Context as hooks add it. */
export const fromHooks = (said: string) => ({ content: [text(said)], source: { kind: 'plugin', plugin: 'hooks' } });
