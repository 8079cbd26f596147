import type { DelegationMode } from '@everturn/core/domain';
import type { DelegationRow } from '@everturn/tools/kit';
import { PluginError } from './plugin-error.ts';
import type { Unregister } from './registry-layer.ts';

/** What a request may ask of whoever makes a child. */
export type SubagentCapability =
  | 'outputSchema'
  | 'depthLimit'
  | 'toolFilter'
  | 'persona'
  | 'agentOptions'
  | 'continuable';

/** Who makes agents that work for others. Whoever it is, an agent is a session of this deployment. */
export interface SubagentProvider {
  readonly name: string;
  /** What a child knows at its beginning: nothing, or the finished turns of its parent. */
  readonly context: 'fresh' | 'parent';
  readonly capabilities: ReadonlySet<SubagentCapability>;
}

const EVERYTHING: ReadonlySet<SubagentCapability> = new Set<SubagentCapability>([
  'outputSchema',
  'depthLimit',
  'toolFilter',
  'persona',
  'agentOptions',
  'continuable',
]);

/** Who makes agents here, by name; a tool whose row names nobody is not offered. */
export class SubagentProviders {
  readonly #providers = new Map<string, SubagentProvider>();

  /** Adds one and returns how to take it away; throws `PLUGIN_DUPLICATE_NAME` or `PLUGIN_INVALID_NAME`. */
  register(provider: SubagentProvider): Unregister {
    const { name } = provider;
    if (!/^[a-z][a-z0-9-]{0,63}$/.test(name))
      throw new PluginError('PLUGIN_INVALID_NAME', `"${name}" names no provider of agents: use a-z, 0-9 and -`);
    if (this.#providers.has(name))
      throw new PluginError('PLUGIN_DUPLICATE_NAME', `a provider of agents named "${name}" is registered already`);
    this.#providers.set(name, provider);
    return () => {
      if (this.#providers.get(name) === provider) this.#providers.delete(name);
    };
  }

  get(name: string): SubagentProvider | undefined {
    return this.#providers.get(name);
  }

  has(name: string): boolean {
    return this.#providers.has(name);
  }
}

/** With those that are always there: `spawn` and `fork`. */
export function localProviders(): SubagentProviders {
  const providers = new SubagentProviders();
  providers.register({ name: 'spawn', context: 'fresh', capabilities: EVERYTHING });
  providers.register({ name: 'fork', context: 'parent', capabilities: EVERYTHING });
  return providers;
}

/** What a request asks for that a provider cannot do. Pure. */
export function unsupported(
  { capabilities }: SubagentProvider,
  { row, mode, outputSchema }: { row: DelegationRow; mode: DelegationMode; outputSchema?: object },
): SubagentCapability[] {
  const wanted: [SubagentCapability, boolean][] = [
    ['outputSchema', outputSchema !== undefined],
    ['depthLimit', row.maxDepth !== 'provider-managed'],
    ['toolFilter', row.toolFilter !== undefined],
    ['persona', row.persona !== undefined],
    ['agentOptions', row.agentOptions !== undefined],
    ['continuable', mode === 'continuable'],
  ];
  return wanted.flatMap(([capability, asked]) => (asked && !capabilities.has(capability) ? [capability] : []));
}
