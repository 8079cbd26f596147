import { sql, type Transaction } from 'kysely';
import type { TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** Packages of plugins the deployment has. */
export interface BundleTable {
  name: string;
  version: string;
  spec: string;
  registry: string | null;
  digest: string;
  archive: Buffer;
  lock: string;
  plugins: string;
  approved_builds: string[];
  pending_builds: string[];
  installed_at: ClockColumn;
}

/** Which bundles a tenant uses. */
export interface TenantBundleTable {
  tenant: string;
  bundle: string;
  enabled: boolean;
}

/** Which plugins of its bundles a tenant does without. */
export interface TenantPluginTable extends TenantBundleTable {
  plugin: string;
}

/** What all workers agree by. */
export interface BundleStateTable {
  singleton: boolean;
  revision: number;
  lease_owner: string | null;
  lease_until: Date;
}

/** A plugin as its bundle declares it. */
export interface DeclaredPlugin {
  name: string;
  description?: string;
}

/** A bundle without what it is made of. */
export interface Bundle {
  name: string;
  version: string;
  spec: string;
  registry?: string;
  digest: string;
  plugins: DeclaredPlugin[];
  approvedBuilds: string[];
  pendingBuilds: string[];
}

/** A bundle with what every worker makes its folder of. */
export interface PackedBundle extends Bundle {
  archive: Buffer;
  lock: string;
}

/** Everything workers agree on. */
export interface BundleState {
  revision: number;
  bundles: Bundle[];
  /** What tenants said; a bundle a tenant said nothing of is off for it. */
  switches: { tenant: TenantId; bundle: string; enabled: boolean }[];
  /** A plugin a tenant said nothing of is on with its bundle. */
  pluginSwitches: { tenant: TenantId; bundle: string; plugin: string; enabled: boolean }[];
}

/** How often bundles were changed. */
export async function bundleRevision(database: Database): Promise<number> {
  const { revision } = await database.selectFrom('bundle_state').select('revision').executeTakeFirstOrThrow();
  return revision;
}

/** Reads all of it, as it was at one moment. */
export async function readBundles(database: Database): Promise<BundleState> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const { revision } = await transaction.selectFrom('bundle_state').select('revision').executeTakeFirstOrThrow();
      const rows = await transaction
        .selectFrom('bundles')
        .select(['name', 'version', 'spec', 'registry', 'digest', 'plugins', 'approved_builds', 'pending_builds'])
        .orderBy(sql`name collate "C"`)
        .execute();
      const switches = await transaction.selectFrom('tenant_bundles').selectAll().execute();
      const pluginSwitches = await transaction.selectFrom('tenant_plugins').selectAll().execute();
      return {
        revision,
        bundles: rows.map(({ registry, plugins, approved_builds, pending_builds, ...row }) => ({
          ...row,
          ...(registry !== null && { registry }),
          plugins: JSON.parse(plugins) as DeclaredPlugin[],
          approvedBuilds: approved_builds,
          pendingBuilds: pending_builds,
        })),
        switches: switches as BundleState['switches'],
        pluginSwitches: pluginSwitches as BundleState['pluginSwitches'],
      };
    });
}

/** What a bundle's folder is made of; `undefined` when it is another one by now. */
export async function readPackedBundle(
  database: Database,
  { name, digest }: Pick<Bundle, 'name' | 'digest'>,
): Promise<{ archive: Buffer; lock: string } | undefined> {
  return database
    .selectFrom('bundles')
    .select(['archive', 'lock'])
    .where('name', '=', name)
    .where('digest', '=', digest)
    .executeTakeFirst();
}

/** Takes or keeps the right to install and remove; `false` while another has it. Whoever dies loses it by time. */
export async function holdBundleLease(
  database: Database,
  { owner, forMs }: { owner: string; forMs: number },
): Promise<boolean> {
  const result = await database
    .updateTable('bundle_state')
    .set({
      lease_owner: owner,
      lease_until: sql<Date>`clock_timestamp() + ${forMs} * interval '1 millisecond'`,
    })
    .where((state) =>
      state.or([state('lease_owner', '=', owner), state('lease_until', '<', sql<Date>`clock_timestamp()`)]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Gives the right back. */
export async function releaseBundleLease(database: Database, owner: string): Promise<void> {
  await database
    .updateTable('bundle_state')
    .set({ lease_owner: null, lease_until: sql<Date>`'-infinity'` })
    .where('lease_owner', '=', owner)
    .execute();
}

export interface StoreBundleInput {
  /** Who holds the lease. */
  owner: string;
  bundle: PackedBundle;
  tenant: TenantId;
  enabled: boolean;
}

/** Stores a bundle, in place of the one of its name, and its tenant's wish; `false` when the lease was lost. */
export async function storeBundle(database: Database, input: StoreBundleInput): Promise<boolean> {
  const { owner, tenant, enabled, bundle } = input;
  const { name, version, spec, registry = null, digest, archive, lock, plugins } = bundle;
  const row = {
    version,
    spec,
    registry,
    digest,
    archive,
    lock,
    plugins: JSON.stringify(plugins),
    approved_builds: bundle.approvedBuilds,
    pending_builds: bundle.pendingBuilds,
  };
  return database.transaction().execute(async (transaction) => {
    if (!(await raise(transaction, owner))) return false;
    await transaction
      .insertInto('bundles')
      .values({ name, ...row })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({ ...row, installed_at: sql<Date>`clock_timestamp()` }),
      )
      .execute();
    await putSwitch(transaction, { tenant, bundle: name, enabled });
    return true;
  });
}

/** Takes a bundle from the deployment, and from every tenant. */
export async function removeBundle(
  database: Database,
  { owner, name }: { owner: string; name: string },
): Promise<'removed' | 'unknown' | 'lease-lost'> {
  return database.transaction().execute(async (transaction) => {
    if (!(await raise(transaction, owner))) return 'lease-lost';
    const { numDeletedRows } = await transaction.deleteFrom('bundles').where('name', '=', name).executeTakeFirst();
    return numDeletedRows > 0n ? 'removed' : 'unknown';
  });
}

/** Switches a bundle for a tenant; `false` when there is none of that name. */
export async function switchBundle(
  database: Database,
  { tenant, bundle, enabled }: { tenant: TenantId; bundle: string; enabled: boolean },
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await exists(transaction, bundle))) return false;
    await raise(transaction);
    await putSwitch(transaction, { tenant, bundle, enabled });
    return true;
  });
}

/** Switches one plugin of a bundle for a tenant; `false` when there is none of that name. */
export async function switchPlugin(
  database: Database,
  { tenant, bundle, plugin, enabled }: { tenant: TenantId; bundle: string; plugin: string; enabled: boolean },
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const found = await exists(transaction, bundle);
    if (!found?.some(({ name }) => name === plugin)) return false;
    await raise(transaction);
    await transaction
      .insertInto('tenant_plugins')
      .values({ tenant, bundle, plugin, enabled })
      .onConflict((conflict) => conflict.columns(['tenant', 'bundle', 'plugin']).doUpdateSet({ enabled }))
      .execute();
    return true;
  });
}

/** Changes come one after another, and each is seen. With an owner: only while it holds the lease. */
async function raise(transaction: Transaction<Tables>, owner?: string): Promise<boolean> {
  const query = transaction.updateTable('bundle_state').set({ revision: sql<number>`revision + 1` });
  const result = await (
    owner === undefined
      ? query
      : query.where('lease_owner', '=', owner).where('lease_until', '>', sql<Date>`clock_timestamp()`)
  ).executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

async function exists(transaction: Transaction<Tables>, bundle: string): Promise<DeclaredPlugin[] | undefined> {
  const row = await transaction
    .selectFrom('bundles')
    .select('plugins')
    .where('name', '=', bundle)
    // It shall not be removed before its switch is written.
    .forShare()
    .executeTakeFirst();
  return row && (JSON.parse(row.plugins) as DeclaredPlugin[]);
}

async function putSwitch(transaction: Transaction<Tables>, row: TenantBundleTable): Promise<void> {
  await transaction
    .insertInto('tenant_bundles')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant', 'bundle']).doUpdateSet({ enabled: row.enabled }))
    .execute();
}
