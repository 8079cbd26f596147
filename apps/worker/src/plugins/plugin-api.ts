import type { SessionId } from '@everturn/core/domain';
import type { AgentHandle, AgentHandles, AgentKey } from './agent-handle.ts';
import type { HumanCommand } from './commands.ts';
import type { Inspector } from './inspect/index.ts';
import type { Listener } from './listeners.ts';
import type { LiveBus, LiveListener } from './live.ts';
import type { ListenPoint } from './points.ts';
import type { Registry } from './registry.ts';
import type { ModelProvider, PluginSkill, RegisteredTool, RegistryLayer, Unregister } from './registry-layer.ts';
import type { SubagentProvider, SubagentProviders } from './subagent-providers.ts';
import type { PromptSection } from './system-prompt.ts';

/** What can be registered at one level; every method returns the way back. */
export interface PluginScope {
  tool(tool: RegisteredTool): Unregister;
  promptSection(section: PromptSection): Unregister;
  command(command: HumanCommand): Unregister;
  /** Offers a skill, after those of a session's project. */
  skill(skill: PluginSkill): Unregister;
  /** Offers a way to models; a provider of the deployment keeps its name. */
  modelProvider(provider: ModelProvider): Unregister;
  /** Answers questions of the tools `cordis_inspect_*`. */
  inspector(inspector: Inspector): Unregister;
  /** Listens at a point; `first` puts it before (waterfall: outside) the listeners already there. */
  on<P extends ListenPoint>(point: P, listener: Listener<P>, place?: 'first' | 'last'): Unregister;
  /** May deny a call after policy allowed it: the returned reason is what the model reads. It can never grant. */
  guard(guard: Listener<'tools/guard'>): Unregister;
}

/** What a plugin gets. What it registers here holds for every session. */
export interface PluginApi extends PluginScope {
  /** Registers in the scope of each session this worker meets: it shadows global names and goes with the session. */
  eachSession(setup: (session: SessionId, scope: PluginScope) => void): Unregister;
  /** Registers for one session in this process only. */
  session(session: SessionId): PluginScope;
  /** A session in its hands. */
  agent(key: AgentKey): AgentHandle;
  /** Adds who makes agents for rows that name it. */
  subagentProvider(provider: SubagentProvider): Unregister;
  /** Observes what happens in this process now; a failing observer is contained. */
  onLive(listener: LiveListener): Unregister;
}

/** A plugin's default export. */
export type Plugin = (api: PluginApi) => void | Promise<void>;

export interface PluginApiInput {
  registry: Registry;
  live: LiveBus;
  agents: AgentHandles;
  subagentProviders: SubagentProviders;
}

/** The surface of one registry. */
export function pluginApi({ registry, live, agents, subagentProviders }: PluginApiInput): PluginApi {
  return {
    ...scopeOf(() => registry.global),
    eachSession: (setup) =>
      registry.eachSession((session, layer) =>
        setup(
          session,
          scopeOf(() => layer),
        ),
      ),
    session: (session) => scopeOf(() => registry.scope(session)),
    agent: (key) => agents(key),
    subagentProvider: (provider) => subagentProviders.register(provider),
    onLive: (listener) => live.onLive(listener),
  };
}

/** What one layer lets register. */
export function scopeOf(layer: () => RegistryLayer): PluginScope {
  return {
    tool: (tool) => layer().addTool(tool),
    promptSection: (section) => layer().addSection(section),
    command: (command) => layer().addCommand(command),
    skill: (skill) => layer().addSkill(skill),
    modelProvider: (provider) => layer().addRoute(provider),
    inspector: (inspector) => layer().addInspector(inspector),
    on: (point, listener, place = 'last') => layer().addListener(point, listener, place),
    guard: (guard) => layer().addListener('tools/guard', guard, 'last'),
  };
}
