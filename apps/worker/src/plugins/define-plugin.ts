import { SKILL_NAME, type ToolBody } from '@everturn/tools/kit';
import type { Inspector } from './inspect/index.ts';
import type { Listener } from './listeners.ts';
import type { Plugin, PluginScope } from './plugin-api.ts';
import { PluginError } from './plugin-error.ts';
import { POINT_MODES, type ListenPoint } from './points.ts';
import type { ModelProvider, PluginSkill, Unregister } from './registry-layer.ts';
import type { PromptSection } from './system-prompt.ts';

/** What a plugin adds; every part may be left out. */
export interface PluginParts {
  /** Unique in its bundle: letters, digits and `._-`. */
  name: string;
  /** One sentence for lists. */
  description?: string;
  /** Made with `implementTool`; their home is `host` or `model`, and they belong to no set. */
  tools?: readonly ToolBody[];
  /** Listeners by the point they listen at, one or several. */
  hooks?: { readonly [P in ListenPoint]?: Listener<P> | readonly Listener<P>[] };
  /** Ways to models (they have an `adapter`), and whom the tools `cordis_inspect_*` can ask (they have `methods`). */
  providers?: readonly (ModelProvider | Inspector)[];
  /** Parts of the system prompt. */
  prompts?: readonly PromptSection[];
  /** What an agent can learn when it needs it. */
  skills?: readonly PluginSkill[];
  /**
   * Registers what the lists above cannot say. What it registers is taken back by itself; whatever else it does is
   * undone by the function it returns, and where it returns none only a new process is free of it.
   */
  setup?(scope: PluginScope): void | Unregister | Promise<void | Unregister>;
}

/** A plugin that says what it adds. */
export interface DefinedPlugin extends Plugin {
  readonly parts: PluginParts;
}

/** What registering a plugin came to. */
export interface RegisteredPlugin {
  /** Takes everything back that was registered. */
  remove: Unregister;
  /** Its setup did something that nobody can undo in this process. */
  needsRestart: boolean;
}

// Plugins are loaded beside this program and may bring a copy of this module, so the mark is the process's.
const MARK = Symbol.for('everturn.plugin');
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const KNOWN_PARTS = ['name', 'description', 'tools', 'hooks', 'providers', 'prompts', 'skills', 'setup'];

/** Declares a plugin: the default export of a module, or one of several in a list. Throws `PLUGIN_INVALID`. */
export function definePlugin(parts: PluginParts): DefinedPlugin {
  check(parts);
  const register = async (scope: PluginScope): Promise<void> => void (await registerParts(parts, scope));
  return Object.freeze(Object.assign(register, { parts: Object.freeze({ ...parts }), [MARK]: true }));
}

/** Whether a value was made by {@link definePlugin}. */
export const isDefinedPlugin = (value: unknown): value is DefinedPlugin => typeof value === 'function' && MARK in value;

/** Registers all parts of a plugin, or none. */
export async function registerParts(parts: PluginParts, scope: PluginScope): Promise<RegisteredPlugin> {
  const done: Unregister[] = [];
  const remove = () =>
    done
      .splice(0)
      .toReversed()
      .forEach((undo) => undo());
  const tracked = trackedScope(scope, done);
  try {
    for (const { definition, execute, startJob } of parts.tools ?? [])
      tracked.tool({ definition, execute, ...(startJob && { startJob }) });
    for (const provider of parts.providers ?? [])
      if ('adapter' in provider) tracked.modelProvider(provider);
      else tracked.inspector(provider);
    for (const skill of parts.skills ?? []) tracked.skill(skill);
    for (const prompt of parts.prompts ?? []) tracked.promptSection(prompt);
    for (const [point, listeners] of Object.entries(parts.hooks ?? {}))
      for (const listener of [listeners].flat()) tracked.on(point as ListenPoint, listener as Listener<ListenPoint>);
    const undo = await parts.setup?.(tracked);
    if (typeof undo === 'function') done.push(undo);
    return { remove, needsRestart: parts.setup !== undefined && typeof undo !== 'function' };
  } catch (error) {
    remove();
    throw error;
  }
}

function trackedScope(scope: PluginScope, done: Unregister[]): PluginScope {
  const kept = (undo: Unregister): Unregister => {
    done.push(undo);
    return undo;
  };
  return {
    tool: (tool) => kept(scope.tool(tool)),
    promptSection: (section) => kept(scope.promptSection(section)),
    command: (command) => kept(scope.command(command)),
    skill: (skill) => kept(scope.skill(skill)),
    modelProvider: (provider) => kept(scope.modelProvider(provider)),
    inspector: (inspector) => kept(scope.inspector(inspector)),
    on: (point, listener, place) => kept(scope.on(point, listener, place)),
    guard: (guard) => kept(scope.guard(guard)),
  };
}

const isAdapter = (adapter: Partial<ModelProvider['adapter']> | undefined): boolean =>
  Boolean(adapter?.id) &&
  [adapter?.stream, adapter?.models, adapter?.context].every((method) => typeof method === 'function');

function check(parts: PluginParts): void {
  const refuse = (why: string): never => {
    throw new PluginError('PLUGIN_INVALID', `plugin "${parts?.name}": ${why}.`);
  };
  if (!NAME.test(parts?.name ?? ''))
    refuse('name must be 1 to 64 letters, digits, dots, underscores or dashes, the first a letter or digit');
  for (const part of Object.keys(parts))
    if (!KNOWN_PARTS.includes(part)) refuse(`${part} is no part of a plugin; known are ${KNOWN_PARTS.join(', ')}`);
  for (const { definition, execute } of parts.tools ?? []) {
    const { name, home, toolset } = definition;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) refuse(`tool "${name}" needs a name of letters, digits, _ and -`);
    if (home === 'workflow' || typeof execute !== 'function')
      refuse(`tool "${name}" needs a body and the home host or model`);
    if (toolset !== undefined) refuse(`tool "${name}" must not name a toolset; the plugin is what is switched`);
  }
  for (const provider of parts.providers ?? []) {
    const reaches = 'adapter' in provider ? isAdapter(provider.adapter) : 'methods' in provider;
    if (!NAME.test(provider.id) || !reaches)
      refuse(`provider "${provider.id}" needs an id that is a name, and an adapter to models or methods to ask`);
  }
  for (const { name, description, instructions } of parts.skills ?? [])
    if (!SKILL_NAME.test(name ?? '') || !description?.trim() || typeof instructions !== 'string')
      refuse(`skill "${name}" needs a name of words of a-z 0-9 joined by -, a description and instructions`);
  for (const [point, listeners] of Object.entries(parts.hooks ?? {})) {
    if (!(point in POINT_MODES)) refuse(`nobody asks at the point "${point}"`);
    if ([listeners].flat().some((listener) => typeof listener !== 'function'))
      refuse(`hooks at ${point} must be functions`);
  }
}
