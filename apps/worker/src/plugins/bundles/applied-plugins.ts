import type { Bundle } from '@everturn/core/postgres';
import { registerParts, type DefinedPlugin, type RegisteredPlugin } from '../define-plugin.ts';
import { PluginError } from '../plugin-error.ts';
import { scopeOf } from '../plugin-api.ts';
import type { Registry } from '../registry.ts';
import type { WantedPlugin } from './wanted-plugins.ts';

export interface ApplyInput {
  wanted: readonly WantedPlugin[];
  /** The code of a bundle; throws when it cannot be had. */
  load: (bundle: Bundle) => Promise<readonly DefinedPlugin[]>;
}

/** What applying came to. */
export interface Applied {
  /** Why a bundle does not take effect, by its name. */
  failures: Map<string, string>;
  /** Plugins that were taken away and left something behind that only a new process is free of. */
  needRestart: WantedPlugin[];
}

/** Keeps the layers of tenants in step with what their tenants use. */
export class AppliedPlugins {
  readonly #registry: Registry;
  readonly #modelProviders: readonly string[];
  readonly #applied = new Map<string, { wanted: WantedPlugin; registered: RegisteredPlugin }>();

  constructor({ registry, modelProviders = [] }: { registry: Registry; modelProviders?: readonly string[] }) {
    this.#registry = registry;
    this.#modelProviders = modelProviders;
  }

  /** Takes away what nobody wants any more, then adds what is missing; a bundle that fails takes none with it. */
  async apply({ wanted, load }: ApplyInput): Promise<Applied> {
    const keys = new Set(wanted.map(keyOf));
    const needRestart: WantedPlugin[] = [];
    for (const [key, { wanted: gone, registered }] of this.#applied) {
      if (keys.has(key)) continue;
      registered.remove();
      this.#applied.delete(key);
      if (registered.needsRestart) needRestart.push(gone);
    }
    const failures = new Map<string, string>();
    for (const one of wanted) {
      if (this.#applied.has(keyOf(one))) continue;
      try {
        this.#applied.set(keyOf(one), { wanted: one, registered: await this.#add(one, await load(one.bundle)) });
      } catch (error) {
        failures.set(one.bundle.name, error instanceof Error ? error.message : String(error));
      }
    }
    return { failures, needRestart };
  }

  /** The digests of bundles that take effect for somebody. */
  get digests(): ReadonlySet<string> {
    return new Set([...this.#applied.values()].map(({ wanted }) => wanted.bundle.digest));
  }

  /** Sessions that name a provider of the deployment must not find somebody else behind the name. */
  #refuseTakenProvider(id: string): void {
    if (this.#modelProviders.includes(id))
      throw new PluginError('PLUGIN_DUPLICATE_NAME', `provider "${id}" is one the deployment has`);
  }

  async #add({ tenant, bundle, plugin }: WantedPlugin, plugins: readonly DefinedPlugin[]): Promise<RegisteredPlugin> {
    const parts = plugins.find((known) => known.parts.name === plugin)?.parts;
    if (!parts) throw new PluginError('PLUGIN_NOT_LOADED', `its code has no plugin "${plugin}" any more`);
    for (const { definition } of parts.tools ?? []) refuseBuiltIn(this.#registry, definition.name);
    for (const { id } of parts.providers ?? []) this.#refuseTakenProvider(id);
    const layer = this.#registry.tenant(tenant);
    const registered = await registerParts(
      parts,
      scopeOf(() => layer),
    );
    const forget = layer.addCode(`${bundle.digest}:${plugin}`);
    return {
      ...registered,
      remove: () => {
        registered.remove();
        forget();
      },
    };
  }
}

/** A package must not take the place of a tool that is checked and confined. */
function refuseBuiltIn({ global }: Registry, name: string): void {
  const taken = [global.tools, global.codeTools, ...global.toolsets.values()].some((tools) => tools.has(name));
  if (taken) throw new PluginError('PLUGIN_DUPLICATE_NAME', `tool "${name}" is one every session may have`);
}

const keyOf = ({ tenant, bundle, plugin }: WantedPlugin): string =>
  [tenant, bundle.name, bundle.digest, plugin].join('\n');
