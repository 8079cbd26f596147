import type { AnnouncedHook } from '@everturn/core/domain';
import { TEAM_TOOLSET } from '@everturn/tools/kit';
import type { SessionOptions, ToolsMode } from '@everturn/core/protocol';
import type { InterceptionPoint } from '../contract/index.ts';
import type { HumanCommand } from './commands.ts';
import type { Inspector } from './inspect/index.ts';
import type { Listener } from './listeners.ts';
import { PluginError } from './plugin-error.ts';
import { isInterceptionPoint, POINT_MODES, type ListenPoint } from './points.ts';
import { traitsOf, type RegisteredTool, type RegistryLayer } from './registry-layer.ts';
import type { PromptSection } from './system-prompt.ts';

/** A choice among global tool names; several intersect. */
export type ToolRestriction = NonNullable<SessionOptions['tools']>;

/** What a session chose of what is offered. */
export interface ViewChoice {
  restrictions?: readonly ToolRestriction[];
  /** Optional sets it wants; a tool of a set takes the place of the basic one of its name, and of an earlier set's. */
  toolsets?: readonly string[];
  /** Tools of one of them that it does not want. */
  except?: { toolset: string; tools: readonly string[] };
  /** Absent = `native`. */
  toolsMode?: ToolsMode;
}

/** What one session sees: its own registrations shadow those of its tenant by name, and these the global ones. */
export interface RegistryView {
  /** Changes whenever something here does. */
  version: string;
  toolsMode: ToolsMode;
  /** Every visible tool by name, in no order. */
  tools: ReadonlyMap<string, RegisteredTool>;
  /** Sections that belong to no tool, and those of visible tools. */
  sections: readonly PromptSection[];
  commands: ReadonlyMap<string, HumanCommand>;
  inspectors: ReadonlyMap<string, Inspector>;
  listeners<P extends ListenPoint>(point: P): readonly Listener<P>[];
  /** The points workflow code has to ask at. */
  listenedPoints: readonly InterceptionPoint[];
  /** Those of them where somebody acts on the session's machine. */
  machinePoints: readonly InterceptionPoint[];
  /** External hooks that are asked at its points. */
  hooks: readonly AnnouncedHook[];
}

export interface ViewInput {
  /** What others have, too, the most general first. */
  shared: readonly RegistryLayer[];
  scoped?: RegistryLayer;
  choice: ViewChoice;
  version: string;
}

/**
 * Joins the levels. Throws `PLUGIN_UNKNOWN_TOOLSET`, and `PLUGIN_UNKNOWN_TOOL` and `PLUGIN_EMPTY_FILTER` for a
 * restriction that names nothing.
 */
export function viewOf({ shared, scoped, choice, version }: ViewInput): RegistryView {
  const { restrictions = [], toolsets = [], toolsMode = 'native' } = choice;
  const offers = (layer: RegistryLayer) => offeredBy(layer, choice);
  const layers = scoped ? [...shared, scoped] : shared;
  checkToolsets(toolsets, layers);
  const offered = new Map(shared.flatMap((layer) => [...offers(layer)]));
  const visible = restrictions.reduce(restrict, offered);
  const changing = shared.flatMap((layer) => [...layer.changing]);
  for (const restriction of restrictions) checkNames(restriction, offered, changing);
  const tools = new Map([
    ...visible,
    ...(scoped ? offers(scoped) : []),
    ...(toolsMode === 'native' ? [] : shared.flatMap(({ codeTools }) => [...codeTools])),
  ]);
  const sections = new Map([...sectionsOf(tools), ...layers.flatMap((layer) => [...layer.sections])]);
  const listeners = <P extends ListenPoint>(point: P) => layers.flatMap((layer) => [...layer.listeners(point)]);
  return {
    version,
    toolsMode,
    tools,
    sections: [...sections.values()],
    commands: new Map(layers.flatMap((layer) => [...layer.commands])),
    inspectors: new Map(layers.flatMap((layer) => [...layer.inspectors])),
    listeners,
    listenedPoints: INTERCEPTION_POINTS.filter((point) => listeners(point).length > 0),
    hooks: INTERCEPTION_POINTS.flatMap((point) =>
      listeners(point).flatMap((listener) => traitsOf(listener).hooks ?? []),
    ),
    machinePoints: INTERCEPTION_POINTS.filter((point) =>
      listeners(point).some((listener) => traitsOf(listener).home === 'host'),
    ),
  };
}

const INTERCEPTION_POINTS = (Object.keys(POINT_MODES) as ListenPoint[]).filter(isInterceptionPoint);

/** The names of every set that has a tool. */
export function toolsetsOf(layers: readonly RegistryLayer[]): string[] {
  return layers.flatMap(({ toolsets }) => [...toolsets].flatMap(([name, tools]) => (tools.size > 0 ? [name] : [])));
}

function checkToolsets(wanted: readonly string[], layers: readonly RegistryLayer[]): void {
  const known = new Set(toolsetsOf(layers));
  const unknown = wanted.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new PluginError(
    'PLUGIN_UNKNOWN_TOOLSET',
    `toolsets: no set is named ${quoted(unknown)}. Known: ${[...known].toSorted().join(', ') || '(none)'}.`,
  );
}

/** Whoever belongs to a team writes to that, whatever other sets say. */
function offeredBy(
  { tools, toolsets }: RegistryLayer,
  { toolsets: wanted = [], except }: ViewChoice,
): ReadonlyMap<string, RegisteredTool> {
  const last = wanted.filter((name) => name === TEAM_TOOLSET);
  const order = [...wanted.filter((name) => name !== TEAM_TOOLSET), ...last];
  const unwanted = (set: string, tool: string) => except?.toolset === set && except.tools.includes(tool);
  const ofSet = (set: string) => [...(toolsets.get(set) ?? [])].filter(([tool]) => !unwanted(set, tool));
  return new Map([...tools, ...order.flatMap(ofSet)]);
}

function restrict(
  tools: ReadonlyMap<string, RegisteredTool>,
  { allow, deny }: ToolRestriction,
): ReadonlyMap<string, RegisteredTool> {
  return new Map([...tools].filter(([name]) => (allow === undefined || allow.includes(name)) && !deny?.includes(name)));
}

function checkNames(
  { allow, deny }: ToolRestriction,
  offered: ReadonlyMap<string, unknown>,
  changing: readonly string[],
): void {
  if (allow === undefined && deny === undefined) {
    throw new PluginError(
      'PLUGIN_EMPTY_FILTER',
      'tools: a filter needs "allow" or "deny". Name tools or leave it out.',
    );
  }
  const unknown = [...(allow ?? []), ...(deny ?? [])].filter(
    (name) => !offered.has(name) && !changing.some((start) => name.startsWith(start)),
  );
  if (unknown.length === 0) return;
  throw new PluginError(
    'PLUGIN_UNKNOWN_TOOL',
    `tools: no tool is named ${quoted(unknown)}. Known: ${[...offered.keys()].toSorted().join(', ')}.`,
  );
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

function sectionsOf(tools: ReadonlyMap<string, RegisteredTool>): [string, PromptSection][] {
  return [...tools.values()].flatMap(({ definition: { promptSection } }) =>
    promptSection ? [[promptSection.name, promptSection] as [string, PromptSection]] : [],
  );
}
