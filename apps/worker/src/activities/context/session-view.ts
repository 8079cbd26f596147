import type { BlobRef } from '@everturn/core/domain';
import { AGENTS_TOOLSET } from '@everturn/tools/kit';
import type { SessionOptions } from '@everturn/core/protocol';
import type { Offer, SessionRef } from '../../contract/index.ts';
import type { RegistryView, ViewChoice } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { CallsAmong } from '../streaming/classify-calls.ts';

type Offered = Pick<ActivityDeps, 'settings' | 'toolsets' | 'toolsMode'>;
type Deps = Pick<ActivityDeps, 'facts' | 'registry'> & Offered;

/** What a session chose of what is offered; sets it does not speak of are the deployment's. */
export function choiceOf({ tools, toolsets, toolsMode }: SessionOptions, deps: Offered): ViewChoice {
  return {
    restrictions: tools ? [tools] : [],
    ...setsOf(toolsets ?? deps.toolsets, deps),
    toolsMode: toolsMode ?? deps.toolsMode,
  };
}

/** Where the deployment has agents of a tool stay, its sessions get what that takes, and for this tool alone. */
function setsOf(
  chosen: readonly string[],
  { settings: { delegation } }: Pick<Offered, 'settings'>,
): Pick<ViewChoice, 'toolsets' | 'except'> {
  const once = delegation.filter(({ backgroundMode }) => backgroundMode === 'one-shot');
  if (once.length === delegation.length || chosen.includes(AGENTS_TOOLSET)) return { toolsets: chosen };
  const tools = once.map(({ toolName }) => toolName);
  return { toolsets: [...chosen, AGENTS_TOOLSET], except: { toolset: AGENTS_TOOLSET, tools } };
}

/** What a session's model may have meant by a name: its sets' tools, hidden ones too. Waits for nothing but its facts. */
export async function namedView(deps: Deps, ref: Pick<SessionRef, 'tenant' | 'session'>): Promise<RegistryView> {
  const { options } = await deps.facts.read(ref);
  const known = deps.registry.toolsets(ref);
  // A set that only another worker knows decides nothing here.
  const { toolsets = [], restrictions: _hidden, ...choice } = choiceOf(options, deps);
  return deps.registry.view(ref, { ...choice, toolsets: toolsets.filter((name) => known.has(name)) });
}

/** What a session's calls may be of: as this worker knows the tools, and as they were offered to its model. */
export async function callsAmong(
  deps: Deps & Pick<ActivityDeps, 'values'>,
  { offer, ...ref }: Pick<SessionRef, 'tenant' | 'session'> & { offer?: BlobRef },
): Promise<CallsAmong> {
  const view = await namedView(deps, ref);
  return { view, ...(offer && { offer: await deps.values.resolve<Offer>(ref.tenant, offer) }) };
}
