import type { AnnouncedHook } from '@everturn/core/domain';
import type { LlmRoute } from '@everturn/core/providers';
import { CODE_TOOL, SKILL_NAME, type LoadedSkill, type ToolBody, type ToolDefinition } from '@everturn/tools/kit';
import type { HumanCommand } from './commands.ts';
import type { Inspector } from './inspect/index.ts';
import type { Listener } from './listeners.ts';
import { PluginError } from './plugin-error.ts';
import type { ListenPoint } from './points.ts';
import type { PromptSection } from './system-prompt.ts';

/** A tool on offer; one whose home is the workflow has its body there and none here. */
export interface RegisteredTool {
  definition: ToolDefinition;
  execute?: ToolBody['execute'];
  startJob?: ToolBody['startJob'];
}

/** A skill that code brings; who may load it is both, where nothing is said. */
export type PluginSkill = Omit<LoadedSkill, 'source' | 'path' | 'byModel' | 'byPerson'> &
  Partial<Pick<LoadedSkill, 'byModel' | 'byPerson'>>;

/** A way to models that code brings: the sessions of its tenant name it as their provider. */
export interface ModelProvider {
  id: string;
  name: string;
  adapter: LlmRoute['adapter'];
  /** Stands for its configuration: what a model gave to be shown again is shown to no other. */
  digest?: string;
}

/** Removes what was registered; a second call does nothing. */
export type Unregister = () => void;

/** What is known of a listener besides what it does. */
export interface ListenerTraits {
  /** It acts on the session's machine, so it is asked there. */
  home?: 'host';
  /** ms it may take; absent: as long as the deployment lets listeners take. */
  limitMs?: number;
  /** The external hooks it asks, for those who tell of them before. */
  hooks?: readonly AnnouncedHook[];
}

const listenerTraits = new WeakMap<object, ListenerTraits>();

/** What was said of a listener when it was added. */
export const traitsOf = (listener: object): ListenerTraits => listenerTraits.get(listener) ?? {};

type ListenersByPoint = { [P in ListenPoint]?: Listener<P>[] };

/** What is registered at one level: for every session, or for one. */
export class RegistryLayer {
  /** What every session has, by name. */
  readonly tools = new Map<string, RegisteredTool>();
  /** What sessions get that ask for the set, by name within each set. */
  readonly toolsets = new Map<string, Map<string, RegisteredTool>>();
  /** How names begin of tools that come and go: a filter may name one that is not there now. */
  readonly changing = new Set<string>();
  /** The tool that runs programs of the others: no filter names it, and no other tool may have its name. */
  readonly codeTools = new Map<string, RegisteredTool>();
  readonly sections = new Map<string, PromptSection>();
  readonly commands = new Map<string, HumanCommand>();
  readonly inspectors = new Map<string, Inspector>();
  /** Skills by name. */
  readonly skills = new Map<string, LoadedSkill>();
  /** Ways to models by the name of the provider. */
  readonly routes = new Map<string, LlmRoute>();
  /** Digests of the code that registered here. */
  readonly code: string[] = [];
  readonly #listeners: ListenersByPoint = {};
  readonly #onChange: () => void;

  constructor(input: { onChange: () => void }) {
    this.#onChange = input.onChange;
  }

  /** Offers a tool, in its set if it has one. Throws `PLUGIN_DUPLICATE_NAME` when there is one of that name. */
  addTool(tool: RegisteredTool): Unregister {
    const { name, toolset } = tool.definition;
    if (name === CODE_TOOL) return this.#add('tool', this.codeTools, name, tool);
    return this.#add('tool', toolset === undefined ? this.tools : this.#set(toolset), name, tool);
  }

  /** Adds a section to the system prompt. Throws `PLUGIN_DUPLICATE_NAME`. */
  addSection(section: PromptSection): Unregister {
    return this.#add('prompt section', this.sections, section.name, Object.freeze({ ...section }));
  }

  /** Adds a command for people. Throws `PLUGIN_DUPLICATE_NAME` and `PLUGIN_INVALID_NAME`. */
  addCommand(command: HumanCommand): Unregister {
    if (!/^[a-z][a-z0-9_-]*$/.test(command.name)) {
      throw new PluginError(
        'PLUGIN_INVALID_NAME',
        `command "${command.name}": a name starts with a-z, then a-z 0-9 _ -. Rename it.`,
      );
    }
    return this.#add('command', this.commands, command.name, command);
  }

  /** Adds someone to ask about the running system. Throws `PLUGIN_DUPLICATE_NAME`. */
  addInspector(inspector: Inspector): Unregister {
    return this.#add('inspect provider', this.inspectors, inspector.id, inspector);
  }

  /** Adds a skill. Throws `PLUGIN_DUPLICATE_NAME` and `PLUGIN_INVALID_NAME`. */
  addSkill({ byModel = true, byPerson = true, ...skill }: PluginSkill): Unregister {
    if (!SKILL_NAME.test(skill.name))
      throw new PluginError('PLUGIN_INVALID_NAME', `skill "${skill.name}": a name is words of a-z 0-9, joined by -`);
    return this.#add(
      'skill',
      this.skills,
      skill.name,
      Object.freeze({ ...skill, byModel, byPerson, source: 'plugin' }),
    );
  }

  /** Adds a way to models. Throws `PLUGIN_DUPLICATE_NAME`. */
  addRoute({ id, name, adapter, digest = '' }: ModelProvider): Unregister {
    return this.#add('model provider', this.routes, id, {
      provider: { id, name },
      adapter,
      digest: `plugin:${digest}`,
    });
  }

  /** Makes code part of the version. */
  addCode(digest: string): Unregister {
    this.code.push(digest);
    this.#onChange();
    return () => {
      const at = this.code.indexOf(digest);
      if (at === -1) return;
      this.code.splice(at, 1);
      this.#onChange();
    };
  }

  /** Adds a listener at a point; `first` puts it before (waterfall: outside) those already there. */
  addListener<P extends ListenPoint>(
    point: P,
    listener: Listener<P>,
    place: 'first' | 'last',
    traits: ListenerTraits = {},
  ): Unregister {
    const own: Listener<P> = (event, next) => listener(event, next);
    listenerTraits.set(own, traits);
    const known = this.listeners(point);
    this.#setListeners(point, place === 'first' ? [own, ...known] : [...known, own]);
    return () => {
      const left = this.listeners(point);
      if (left.includes(own))
        this.#setListeners(
          point,
          left.filter((other) => other !== own),
        );
    };
  }

  /** The listeners of one point, in order. */
  listeners<P extends ListenPoint>(point: P): readonly Listener<P>[] {
    return (this.#listeners[point] ?? []) as readonly Listener<P>[];
  }

  #set(name: string): Map<string, RegisteredTool> {
    const known = this.toolsets.get(name) ?? new Map<string, RegisteredTool>();
    this.toolsets.set(name, known);
    return known;
  }

  #setListeners<P extends ListenPoint>(point: P, listeners: readonly Listener<P>[]): void {
    (this.#listeners as Record<string, unknown>)[point] = listeners;
    this.#onChange();
  }

  #add<T>(noun: string, known: Map<string, T>, name: string, value: T): Unregister {
    if (known.has(name)) {
      throw new PluginError('PLUGIN_DUPLICATE_NAME', `${noun} "${name}" is already registered. Rename one of them.`);
    }
    known.set(name, value);
    this.#onChange();
    return () => {
      if (known.get(name) !== value) return;
      known.delete(name);
      this.#onChange();
    };
  }
}
