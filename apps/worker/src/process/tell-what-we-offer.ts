import { publishHostDetails } from '@everturn/core/postgres';
import { LlmRegistry } from '@everturn/core/providers';
import type { LocalWorld } from '@everturn/tools/world';
import type { Logger } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import type { ActivityDeps, OwnHost } from '../activities/index.ts';
import { describeCommand } from '../plugins/index.ts';
import { describeProvider } from './describe-provider.ts';

/** Shows clients what this worker runs: versions, mode, provider routes and tools by name, effective settings; no keys. */
export async function tellWhatWeOffer(deps: ActivityDeps, { mcp }: LocalWorld, host: OwnHost): Promise<void> {
  const { llm, stepIsolation, maxParallelToolCalls, retry, settings, toolsets, toolsMode, permissionMode, ports } =
    deps;
  const sandbox = await ports.sandbox.report();
  if (!sandbox.runner)
    deps.log.warn(sandbox, 'nothing here can confine commands; sessions in a mode that confines cannot run any');
  // Without it the first session that names none asks the provider, which may be away now.
  const defaultRoute = await deps.defaultModel().catch(() => undefined);
  await publishHostDetails(deps.database, {
    host: host.id,
    epoch: host.epoch,
    details: {
      version: manifest.version,
      node: process.versions.node,
      mode: permissionMode,
      sandbox,
      providers: [
        ...llm.providers().map((provider) => describeProvider(llm, provider)),
        ...deps.registry.everyRoute().map(({ tenant, route }) => ({
          ...describeProvider(new LlmRegistry().with([route]), route.provider),
          ...(tenant !== undefined && { tenant }),
        })),
      ],
      ...(defaultRoute && { defaultRoute }),
      commands: [...deps.registry.global.commands.values()].map(describeCommand),
      tenantCommands: deps.registry
        .tenantCommands()
        .map(({ tenant, command }) => ({ ...describeCommand(command), tenant })),
      tools: [...deps.registry.global.tools.keys(), ...deps.registry.global.codeTools.keys()].toSorted(),
      toolsets: Object.fromEntries(
        [...deps.registry.global.toolsets].map(([name, tools]) => [name, [...tools.keys()].toSorted()]),
      ),
      mcp: mcp.view().map(({ name, transport, state, tools, notices }) => ({
        name,
        transport,
        state,
        tools: tools.length,
        notices: [...notices],
      })),
      settings: JSON.parse(
        JSON.stringify({ stepIsolation, maxParallelToolCalls, retry, toolsets, toolsMode, tools: settings }),
      ),
    },
  });
}

/** Tells again after each change; changes that come meanwhile are told together afterwards. */
export function tellEachChange(tell: () => Promise<void>, log: Logger): () => void {
  let state: 'idle' | 'telling' | 'again' = 'idle';
  const run = async (): Promise<void> => {
    do {
      state = 'telling';
      await tell().catch((error: unknown) => log.warn({ err: error }, 'what this worker offers could not be told'));
    } while ((state as string) === 'again');
    state = 'idle';
  };
  return () => {
    if (state !== 'idle') state = 'again';
    else void run();
  };
}
