import type { SessionOptions } from '@everturn/core/protocol';
import type { InterceptionPoint } from '../contract/index.ts';
import type { HumanCommand } from './commands.ts';
import type { Listener } from './listeners.ts';
import { PluginError } from './plugin-error.ts';
import { isInterceptionPoint, POINT_MODES, type ListenPoint } from './points.ts';
import type { RegisteredTool, RegistryLayer } from './registry-layer.ts';
import type { PromptSection } from './system-prompt.ts';

/** A choice among global tool names; several intersect. */
export type ToolRestriction = NonNullable<SessionOptions['tools']>;

/** What one session sees: its own registrations shadow global ones by name. */
export interface RegistryView {
  /** Changes whenever something here does. */
  version: string;
  /** Every visible tool by name, in no order. */
  tools: ReadonlyMap<string, RegisteredTool>;
  /** Sections that belong to no tool, and those of visible tools. */
  sections: readonly PromptSection[];
  commands: ReadonlyMap<string, HumanCommand>;
  listeners<P extends ListenPoint>(point: P): readonly Listener<P>[];
  /** The points workflow code has to ask at. */
  listenedPoints: readonly InterceptionPoint[];
}

export interface ViewInput {
  global: RegistryLayer;
  scoped?: RegistryLayer;
  restrictions: readonly ToolRestriction[];
  version: string;
}

/** Joins the two levels. Throws `PLUGIN_UNKNOWN_TOOL` and `PLUGIN_EMPTY_FILTER` for a restriction that names nothing. */
export function viewOf({ global, scoped, restrictions, version }: ViewInput): RegistryView {
  const visible = restrictions.reduce(restrict, global.tools as ReadonlyMap<string, RegisteredTool>);
  for (const restriction of restrictions) checkNames(restriction, global);
  const tools = new Map([...visible, ...(scoped?.tools ?? [])]);
  const sections = new Map([...sectionsOf(tools), ...global.sections, ...(scoped?.sections ?? [])]);
  const listeners = <P extends ListenPoint>(point: P) => [
    ...global.listeners(point),
    ...(scoped?.listeners(point) ?? []),
  ];
  return {
    version,
    tools,
    sections: [...sections.values()],
    commands: new Map([...global.commands, ...(scoped?.commands ?? [])]),
    listeners,
    listenedPoints: (Object.keys(POINT_MODES) as ListenPoint[])
      .filter(isInterceptionPoint)
      .filter((point) => listeners(point).length > 0),
  };
}

function restrict(
  tools: ReadonlyMap<string, RegisteredTool>,
  { allow, deny }: ToolRestriction,
): ReadonlyMap<string, RegisteredTool> {
  return new Map([...tools].filter(([name]) => (allow === undefined || allow.includes(name)) && !deny?.includes(name)));
}

function checkNames({ allow, deny }: ToolRestriction, global: RegistryLayer): void {
  if (allow === undefined && deny === undefined) {
    throw new PluginError(
      'PLUGIN_EMPTY_FILTER',
      'tools: a filter needs "allow" or "deny". Name tools or leave it out.',
    );
  }
  const unknown = [...(allow ?? []), ...(deny ?? [])].filter((name) => !global.tools.has(name));
  if (unknown.length === 0) return;
  throw new PluginError(
    'PLUGIN_UNKNOWN_TOOL',
    `tools: no tool is named ${unknown.map((name) => `"${name}"`).join(', ')}. Known: ${[...global.tools.keys()].toSorted().join(', ')}.`,
  );
}

function sectionsOf(tools: ReadonlyMap<string, RegisteredTool>): [string, PromptSection][] {
  return [...tools.values()].flatMap(({ definition: { promptSection } }) =>
    promptSection ? [[promptSection.name, promptSection] as [string, PromptSection]] : [],
  );
}
