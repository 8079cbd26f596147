import type { SessionOptions } from '@everturn/core/protocol';
import { OUTPUT_TOOL, outputTool } from '@everturn/tools/kit';
import type { RegistryView } from '../../plugins/index.ts';

/** A view with the tool by which an agent that was asked for data gives it; other views as they are. */
export function withOutput(view: RegistryView, { delegation }: SessionOptions): RegistryView {
  if (!delegation?.outputSchema) return view;
  const definition = outputTool(delegation.outputSchema);
  const { promptSection } = definition;
  return {
    ...view,
    listeners: view.listeners,
    tools: new Map([...view.tools, [OUTPUT_TOOL, { definition }]]),
    sections: [...view.sections, ...(promptSection ? [promptSection] : [])],
  };
}
