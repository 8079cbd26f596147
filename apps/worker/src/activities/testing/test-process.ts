import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import { DEFAULT_RETRY, type HostId } from '@everturn/core/domain';
import { SecretBox } from '@everturn/core/postgres';
import { llmRegistry, type ScriptedModel } from '@everturn/core/providers';
import { ManagedEnvironment, ToolSettings } from '@everturn/tools/kit';
import { guardedFetch, openLocalWorld, ProgramPool, type LocalWorld } from '@everturn/tools/world';
import {
  createLiveBus,
  localProviders,
  pluginApi,
  Registry,
  registerCore,
  type RegisteredTool,
} from '../../plugins/index.ts';
import { noSessions } from '../../plugins/testing/no-sessions.ts';
import { appendChunks, type Projection } from '../../projection/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { DerivedSessions } from '../context/derived-sessions.ts';
import { SessionFactsReader } from '../context/session-facts.ts';
import { Values } from '../context/values.ts';
import { ShownPictures } from '../images/shown-pictures.ts';
import { EffectRunner } from '../effects/effect-runner.ts';
import { projectionLedger, type Ledger } from '../effects/ledger.ts';
import { ChunkDrain } from '../streaming/drain.ts';
import { Lanes } from '../tools/lanes.ts';

let opened: Promise<LocalWorld> | undefined;
const home = mkdtempSync(join(tmpdir(), 'everturn-activities-'));
afterAll(async () => {
  await (await opened)?.dispose();
  rmSync(home, { recursive: true, force: true });
});

export interface TestProcessInput {
  projection: Projection;
  model: ScriptedModel;
  tools?: readonly RegisteredTool[];
  /** Stands between the process and its ledger, to cut it off. */
  ledger?: (real: Ledger) => Ledger;
  host?: { id: HostId; epoch: number };
}

/** What one worker process works with: the real thing, with a scripted model. */
export async function testProcess(input: TestProcessInput): Promise<ActivityDeps> {
  const projection = { ...input.projection, owner: `test-${randomUUID()}`, ...(input.host && { host: input.host }) };
  const { database } = projection;
  const registry = new Registry();
  registerCore(registry.global, { tools: input.tools ?? [] });
  const real = projectionLedger(projection);
  const machine = await world();
  return {
    database,
    projection,
    facts: new SessionFactsReader({ database }),
    effects: new EffectRunner({ ledger: input.ledger?.(real) ?? real }),
    drain: new ChunkDrain({ append: (parts) => appendChunks(projection, parts) }),
    values: new Values({ database }),
    derived: new DerivedSessions(),
    pictures: new ShownPictures({ database }),
    llm: llmRegistry({
      routes: [{ id: 'scripted', name: 'Scripted', dialect: 'scripted', baseUrl: input.model.url, models: [] }],
      streamIdleTimeoutMs: 30_000,
      streamSilenceLimitMs: 30_000,
    }),
    defaultModel: async () => ({ provider: 'scripted', model: 'test' }),
    registry,
    subagentProviders: localProviders(),
    toolsets: [],
    toolsMode: 'native',
    programs: new ProgramPool({ maxThreads: 1 }),
    live: createLiveBus({ onError: () => undefined }),
    agents: noSessions,
    searchAttributes: () => true,
    stepIsolation: 'child',
    log: pino({ level: 'silent' }),
    settings: ToolSettings.parse({}),
    permissionMode: 'danger-full-access',
    plan: { prompt: 'Plan first.', enforcement: 'prompt' },
    maxParallelToolCalls: 10,
    listenerTimeoutMs: 60_000,
    webhookFetch: guardedFetch(['127.0.0.1']),
    secrets: new SecretBox([Buffer.alloc(32, 1).toString('base64')]),
    retry: DEFAULT_RETRY,
    instructionsBytes: 65_536,
    checkRequests: true,
    compaction: {},
    titles: { cadence: 'off' },
    home,
    managedEnvironment: new ManagedEnvironment(),
    ports: machine.ports,
    resources: machine.resources,
    machine: {
      host: input.host ?? { id: 'test' as HostId, epoch: 1 },
      lanes: new Lanes(),
      endSession: machine.endSession,
    },
  };
}

/** The plugin surface of a process. */
export const apiOf = (deps: ActivityDeps) => pluginApi(deps);

/** One attempt of an activity: run it, cancel it, count its beats. */
export function attempt<Input, Result>(activity: (input: Input) => Promise<Result>, input: Input) {
  const environment = new MockActivityEnvironment(
    { heartbeatTimeoutMs: 3_000 },
    { logger: new DefaultLogger('ERROR') },
  );
  let beats = 0;
  environment.on('heartbeat', () => (beats += 1));
  const result = environment.run(activity, input) as Promise<Result>;
  result.catch(() => undefined);
  return { result, cancel: environment.cancel, beats: () => beats };
}

function world(): Promise<LocalWorld> {
  opened ??= openLocalWorld({ environment: { PATH: '/usr/local/bin:/usr/bin:/bin' } });
  return opened;
}
