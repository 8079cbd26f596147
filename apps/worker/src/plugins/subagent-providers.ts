import type { DelegationMode } from '@everturn/core/domain';
import type { DelegationRow } from '@everturn/tools/kit';

/** What a request may ask of whoever makes a child. */
export type SubagentCapability =
  | 'outputSchema'
  | 'depthLimit'
  | 'toolFilter'
  | 'persona'
  | 'agentOptions'
  | 'continuable';

/** Who makes agents that work for others; all there are make sessions of this deployment. */
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

/** Those that are always there. */
export function localProviders(): Map<string, SubagentProvider> {
  const providers: SubagentProvider[] = [
    { name: 'spawn', context: 'fresh', capabilities: EVERYTHING },
    { name: 'fork', context: 'parent', capabilities: EVERYTHING },
  ];
  return new Map(providers.map((provider) => [provider.name, provider]));
}

/** What a request asks for that a provider cannot do. Pure. */
export function unsupported(
  { capabilities }: SubagentProvider,
  { row, mode }: { row: DelegationRow; mode: DelegationMode },
): SubagentCapability[] {
  const wanted: [SubagentCapability, boolean][] = [
    ['depthLimit', row.maxDepth !== 'provider-managed'],
    ['toolFilter', row.toolFilter !== undefined],
    ['persona', row.persona !== undefined],
    ['agentOptions', row.agentOptions !== undefined],
    ['continuable', mode === 'continuable'],
  ];
  return wanted.flatMap(([capability, asked]) => (asked && !capabilities.has(capability) ? [capability] : []));
}
