import type { TenantId } from '@everturn/core/domain';
import {
  hasAdminKey,
  readBundles,
  removeBundle,
  storeBundle,
  type Bundle,
  type Database,
} from '@everturn/core/postgres';
import type { PluginChange, PluginChangeOutcome } from '@everturn/tools/kit';
import type { DefinedPlugin } from '../define-plugin.ts';
import type { BundleFolders } from './bundle-folders.ts';
import { withBundleLease } from './bundle-lease.ts';
import { parseSpec, registryFault } from './package-spec.ts';

export interface InstallDeps {
  database: Database;
  owner: string;
  tenant: TenantId;
  lockWaitMs: number;
  folders: BundleFolders;
  load(bundle: Pick<Bundle, 'name' | 'digest' | 'approvedBuilds'>): Promise<readonly DefinedPlugin[]>;
  signal: AbortSignal;
}

/** Stored, or why nothing was. */
export type Installed = { kind: 'done'; name: string } | { kind: 'over'; outcome: PluginChangeOutcome };

/** Fetches a package, loads it once, and stores it with its tenant's wish. */
export async function installBundle(
  deps: InstallDeps,
  change: Extract<PluginChange, { kind: 'install-bundle' }>,
): Promise<Installed> {
  const parsed = parseSpec(change.spec, change.cwd);
  if (parsed.kind === 'refused') return failed(parsed.message);
  const fault = change.registry === undefined ? undefined : registryFault(change.registry);
  if (fault !== undefined) return failed(fault);
  return asAdmin(deps, async (signal) => {
    const { bundles } = await readBundles(deps.database);
    const approvedBefore = (name: string) => bundles.find((known) => known.name === name)?.approvedBuilds ?? [];
    const { approvedBuilds, registry, enabled } = change;
    const fetched = await deps.folders.fetch({
      spec: parsed.kind === 'npm' ? parsed.spec : change.spec.trim(),
      from: parsed,
      approvedBuilds,
      approvedBefore,
      ...(registry !== undefined && { registry }),
      signal,
    });
    const plugins = (await deps.load(fetched)).map(({ parts: { name, description } }) => ({
      name,
      ...(description !== undefined && { description }),
    }));
    signal.throwIfAborted();
    const { database, owner, tenant } = deps;
    const stored = await storeBundle(database, { owner, tenant, enabled, bundle: { ...fetched, plugins } });
    return stored ? { kind: 'done', name: fetched.name } : failed('another worker took over; nothing was installed');
  });
}

/** Takes a bundle from the deployment. Its folder stays until this worker starts anew: code of it may be running. */
export function uninstallBundle(deps: InstallDeps, name: string): Promise<Installed> {
  return asAdmin(deps, async () => {
    const removed = await removeBundle(deps.database, { owner: deps.owner, name });
    switch (removed) {
      case 'removed':
        return { kind: 'done', name };
      case 'unknown':
        return failed(`bundle "${name}" is unknown; list first`);
      case 'lease-lost':
        return failed('another worker took over; nothing was removed');
    }
  });
}

async function asAdmin(deps: InstallDeps, work: (signal: AbortSignal) => Promise<Installed>): Promise<Installed> {
  const { database, owner, tenant, lockWaitMs, signal } = deps;
  if (!(await hasAdminKey(database, tenant)))
    return failed('bundles belong to the whole deployment: only a tenant with an admin key installs and removes them');
  try {
    const done = await withBundleLease({ database, owner, waitMs: lockWaitMs, signal, work });
    return done === 'busy' ? failed(`another install was not done after ${lockWaitMs} ms; try again later`) : done;
  } catch (error) {
    if (signal.aborted) return over({ application: 'cancelled', pendingBuilds: [] });
    return failed(error instanceof Error ? error.message : String(error));
  }
}

const over = (outcome: PluginChangeOutcome): Installed => ({ kind: 'over', outcome });
const failed = (message: string): Installed => over({ application: 'failed', message, pendingBuilds: [] });
