import type { TenantId } from '@everturn/core/domain';
import type { Bundle, BundleState } from '@everturn/core/postgres';
import type { BundleEntry, PluginEntry } from '@everturn/tools/kit';

/** One plugin that is to take effect for one tenant. */
export interface WantedPlugin {
  tenant: TenantId;
  bundle: Bundle;
  plugin: string;
}

/** What is to take effect, for all tenants. */
export function wantedPlugins(state: BundleState): WantedPlugin[] {
  return state.switches.flatMap(({ tenant, bundle: name, enabled }) => {
    const bundle = state.bundles.find((known) => known.name === name);
    if (!enabled || !bundle) return [];
    return bundle.plugins
      .filter((plugin) => pluginIsOn(state, { tenant, bundle: name, plugin: plugin.name }))
      .map((plugin) => ({ tenant, bundle, plugin: plugin.name }));
  });
}

/** Whether a tenant uses a bundle. */
export const bundleIsOn = (state: BundleState, tenant: TenantId, name: string): boolean =>
  state.switches.some((row) => row.tenant === tenant && row.bundle === name && row.enabled);

/** The bundles as a tenant sees them. */
export function bundleEntries(
  state: BundleState,
  tenant: TenantId,
  { loaded, failures }: { loaded: ReadonlySet<string>; failures: ReadonlyMap<string, string> },
): BundleEntry[] {
  return state.bundles.map(({ name, version, spec, digest, plugins, pendingBuilds, approvedBuilds }) => {
    const error = failures.get(name);
    return {
      name,
      version,
      spec,
      enabled: bundleIsOn(state, tenant, name),
      state: error !== undefined ? 'failed' : loaded.has(digest) ? 'loaded' : 'unused',
      ...(error !== undefined && { error }),
      plugins: plugins.map((plugin) => plugin.name),
      pendingBuilds,
      approvedBuilds,
    };
  });
}

/** The plugins of all bundles as a tenant sees them. */
export function pluginEntries(state: BundleState, tenant: TenantId): PluginEntry[] {
  return state.bundles.flatMap((bundle) =>
    bundle.plugins.map(({ name, description }) => ({
      id: `${bundle.name}:${name}`,
      bundle: bundle.name,
      name,
      ...(description !== undefined && { description }),
      enabled:
        bundleIsOn(state, tenant, bundle.name) && pluginIsOn(state, { tenant, bundle: bundle.name, plugin: name }),
    })),
  );
}

/** Bundle and plugin of an id; the name of a package may hold no colon. */
export function splitPluginId(id: string): { bundle: string; plugin: string } {
  const at = id.indexOf(':');
  return at === -1 ? { bundle: id, plugin: '' } : { bundle: id.slice(0, at), plugin: id.slice(at + 1) };
}

/** One page of a list. */
export function pageOf<T>(all: readonly T[], { offset, limit }: { offset: number; limit: number }) {
  const end = offset + limit;
  return { entries: all.slice(offset, end), total: all.length, nextOffset: end < all.length ? end : null };
}

function pluginIsOn(
  { pluginSwitches }: BundleState,
  { tenant, bundle, plugin }: { tenant: TenantId; bundle: string; plugin: string },
): boolean {
  const said = pluginSwitches.find((row) => row.tenant === tenant && row.bundle === bundle && row.plugin === plugin);
  return said?.enabled ?? true;
}
