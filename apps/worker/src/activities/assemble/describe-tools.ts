import type { EpochHeader, JsonObject, PlanEnforcement } from '@everturn/core/domain';
import { toolKey } from '@everturn/tools/catalog';
import { OUTPUT_TOOL } from '@everturn/tools/kit';
import type { AssembledTool, Assembly } from '../../contract/index.ts';
import type { RegistryView } from '../../plugins/index.ts';

/** Only what the model was shown may be dispatched. */
export function describeTools(
  view: Pick<RegistryView, 'tools' | 'toolsMode'>,
  header: Pick<EpochHeader, 'tools'>,
  outputSchema?: JsonObject,
): Record<string, AssembledTool> {
  const shown = new Set(header.tools?.map(({ name }) => name));
  // What only programs may call is shown in words.
  const visible = [...view.tools].filter(([name]) => view.toolsMode === 'ptc' || shown.has(name));
  const described = visible.map(([name, { definition }]): [string, AssembledTool] => {
    const { home, effect, timeoutMs, escalation } = definition;
    const key = toolKey(definition);
    return [
      name,
      {
        home,
        effect,
        ...(escalation && { escalation }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(key !== name && { key }),
        ...(name === OUTPUT_TOOL && outputSchema && { outputSchema }),
      },
    ];
  });
  return Object.fromEntries(described);
}

/** What plan mode means for calls: where it refuses, all tools but these. */
export function describePlan(
  { tools }: Pick<RegistryView, 'tools'>,
  enforcement: PlanEnforcement,
): NonNullable<Assembly['plan']> {
  if (enforcement === 'prompt') return {};
  return { readOnly: [...tools].flatMap(([name, { definition }]) => (definition.readOnly ? [name] : [])) };
}
