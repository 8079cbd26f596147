import type { BlobRef } from '@everturn/core/domain';
import type { SessionOptions } from '@everturn/core/protocol';
import type { Offer, SessionRef } from '../../contract/index.ts';
import type { RegistryView, ViewChoice } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { CallsAmong } from '../streaming/classify-calls.ts';

type Deps = Pick<ActivityDeps, 'facts' | 'registry' | 'toolsets' | 'toolsMode'>;

/** What a session chose of what is offered; sets it does not speak of are the deployment's. */
export function choiceOf(
  { tools, toolsets, toolsMode }: SessionOptions,
  deps: Pick<Deps, 'toolsets' | 'toolsMode'>,
): ViewChoice {
  return {
    restrictions: tools ? [tools] : [],
    toolsets: toolsets ?? deps.toolsets,
    toolsMode: toolsMode ?? deps.toolsMode,
  };
}

/** What a session's model may have meant by a name: its sets' tools, hidden ones too. Waits for nothing but its facts. */
export async function namedView(deps: Deps, ref: Pick<SessionRef, 'tenant' | 'session'>): Promise<RegistryView> {
  const { options } = await deps.facts.read(ref);
  const known = deps.registry.toolsets(ref);
  // A set that only another worker knows decides nothing here.
  const toolsets = (options.toolsets ?? deps.toolsets).filter((name) => known.has(name));
  return deps.registry.view(ref, { toolsets, toolsMode: options.toolsMode ?? deps.toolsMode });
}

/** What a session's calls may be of: as this worker knows the tools, and as they were offered to its model. */
export async function callsAmong(
  deps: Deps & Pick<ActivityDeps, 'values'>,
  { offer, ...ref }: Pick<SessionRef, 'tenant' | 'session'> & { offer?: BlobRef },
): Promise<CallsAmong> {
  const view = await namedView(deps, ref);
  return { view, ...(offer && { offer: await deps.values.resolve<Offer>(ref.tenant, offer) }) };
}
