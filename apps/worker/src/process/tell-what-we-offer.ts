import { publishHostDetails } from '@everturn/core/postgres';
import manifest from '../../package.json' with { type: 'json' };
import type { ActivityDeps, OwnHost } from '../activities/index.ts';

/** Shows clients what this worker runs: versions, mode, provider routes and tools by name, effective settings; no keys. */
export async function tellWhatWeOffer(deps: ActivityDeps, host: OwnHost): Promise<void> {
  const { llm, stepIsolation, maxParallelToolCalls, retry, settings, toolsets, permissionMode, ports } = deps;
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
      providers: llm.providers().map(({ id, name }) => ({ id, name, models: llm.models(id).map((model) => model.id) })),
      ...(defaultRoute && { defaultRoute }),
      tools: [...deps.registry.global.tools.keys()].toSorted(),
      toolsets: Object.fromEntries(
        [...deps.registry.global.toolsets].map(([name, tools]) => [name, [...tools.keys()].toSorted()]),
      ),
      settings: JSON.parse(JSON.stringify({ stepIsolation, maxParallelToolCalls, retry, toolsets, tools: settings })),
    },
  });
}
