import { resolve } from 'node:path';
import type { WorkerConfig } from '@everturn/core/config';
import { countHookRefusals } from '@everturn/core/postgres';
import { workingFolder, type ActivityDeps } from '../activities/index.ts';
import {
  askHttpHook,
  ExternalHooks,
  hookHandlers,
  registerHooks,
  runCommandHook,
  type HookSettings,
} from '../plugins/index.ts';
import type { BuildDepsInput } from './build-deps.ts';

export interface AddHooksInput
  extends
    Pick<BuildDepsInput, 'config' | 'projection' | 'world' | 'log'>,
    Pick<ActivityDeps, 'registry' | 'facts' | 'defaultModel'> {
  settings: HookSettings;
}

/** Has the deployment's external hooks asked where they want to be. */
export function addHooks(input: AddHooksInput): void {
  const { settings, registry, log } = input;
  const { skipped, pluginRoot, digest } = settings;
  if (skipped.length > 0) log.warn({ skipped }, 'hooks of these kinds are not run');
  const handlers = hookHandlers(
    settings,
    {
      command: (hook, asked) => runCommandHook({ ...asked, hook, processes: input.world.ports.processes, pluginRoot }),
      http: (hook, asked) => askHttpHook({ ...asked, hook }),
    },
    (why) => log.warn(why),
  );
  registry.global.addCode(digest);
  registerHooks({
    layer: registry.global,
    hooks: new ExternalHooks({ handlers, placeOf: (initiator) => placeOf(input, initiator) }),
    timesContinued: (initiator) =>
      countHookRefusals(input.projection.database, { ...initiator, point: 'agent/turn-continuation' }),
  });
}

type Placed = Parameters<ActivityDeps['facts']['read']>[0];

async function placeOf({ facts, defaultModel, config }: AddHooksInput, { tenant, session }: Placed) {
  const { header, options } = await facts.read({ tenant, session });
  const { cwd } = header;
  const model = options.model ?? (await defaultModel())?.model ?? '';
  return { model, cwd: await workingFolder({ tenant, session, ...(cwd !== undefined && { cwd }) }, dataDir(config)) };
}

const dataDir = ({ dataDir: folder }: WorkerConfig): string => resolve(folder);
