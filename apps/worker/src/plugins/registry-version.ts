import { createHash } from 'node:crypto';
import { canonicalJson } from '@everturn/core/domain';
import { POINT_MODES, type ListenPoint } from './points.ts';
import type { RegisteredTool, RegistryLayer } from './registry-layer.ts';

/**
 * A digest of what workers must agree on: tools as the model and the scheduler see them, sections, listened points and
 * the code of plugins. Equal registries have equal versions in every process.
 */
export function registryVersion(layers: readonly RegistryLayer[]): string {
  const described = layers.map((layer) => ({
    tools: everyTool(layer).map(({ definition }) => ({
      name: definition.name,
      toolset: definition.toolset ?? null,
      description: definition.description,
      parameters: definition.parameters,
      home: definition.home,
      effect: definition.effect,
      timeoutMs: definition.timeoutMs ?? null,
      section: definition.promptSection ?? null,
    })),
    sections: [...layer.sections.values()].toSorted(byName),
    commands: [...layer.commands.keys()].toSorted(),
    code: [...layer.code],
    skills: [...layer.skills.values()].map(({ name, description }) => ({ name, description })).toSorted(byName),
    routes: [...layer.routes.keys()].toSorted(),
    listeners: (Object.keys(POINT_MODES) as ListenPoint[]).map((point) => layer.listeners(point).length),
  }));
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(described))))
    .digest('hex')
    .slice(0, 16);
}

/** Sorted, because what comes and goes comes back in another order. */
const everyTool = ({ tools, codeTools, toolsets }: RegistryLayer): RegisteredTool[] =>
  [tools, codeTools, ...[...toolsets].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, offered]) => offered)].flatMap(
    (offered) => [...offered.values()].toSorted((a, b) => byName(a.definition, b.definition)),
  );

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
