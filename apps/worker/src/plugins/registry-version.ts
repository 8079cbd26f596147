import { createHash } from 'node:crypto';
import { canonicalJson } from '@everturn/core/domain';
import { POINT_MODES, type ListenPoint } from './points.ts';
import type { RegisteredTool, RegistryLayer } from './registry-layer.ts';

/**
 * A digest of what workers must agree on: tools as the model and the scheduler see them, sections, listened points and
 * the code of plugins. Equal registries have equal versions in every process.
 */
export function registryVersion(layers: readonly RegistryLayer[], codeDigests: readonly string[]): string {
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
    sections: [...layer.sections.values()],
    commands: [...layer.commands.keys()],
    listeners: (Object.keys(POINT_MODES) as ListenPoint[]).map((point) => layer.listeners(point).length),
  }));
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify({ described, codeDigests }))))
    .digest('hex')
    .slice(0, 16);
}

const everyTool = ({ tools, toolsets }: RegistryLayer): RegisteredTool[] =>
  [tools, ...toolsets.values()].flatMap((offered) => [...offered.values()]);
