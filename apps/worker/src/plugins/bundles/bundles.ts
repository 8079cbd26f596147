import type { TenantId } from '@everturn/core/domain';
import {
  bundleRevision,
  readBundles,
  readPackedBundle,
  switchBundle,
  switchPlugin,
  type Bundle,
  type BundleState,
  type Database,
} from '@everturn/core/postgres';
import type { PluginChange, PluginChangeOutcome, PluginsPort, ProcessesPort } from '@everturn/tools/kit';
import type { DefinedPlugin } from '../define-plugin.ts';
import type { Registry } from '../registry.ts';
import { AppliedPlugins, type Applied } from './applied-plugins.ts';
import { BundleFolders } from './bundle-folders.ts';
import { installBundle, uninstallBundle, type InstallDeps } from './install-bundle.ts';
import { loadBundle } from './load-bundle.ts';
import { bundleEntries, pageOf, pluginEntries, splitPluginId, wantedPlugins } from './wanted-plugins.ts';

const LOAD_TIMEOUT_MS = 20_000;
const LOOK_EVERY_MS = 2_000;
/** What could not be had, for want of a network, say, is tried again. */
const RETRY_EVERY_MS = 60_000;

export interface OpenBundlesInput {
  database: Database;
  registry: Registry;
  /** The deployment's ways to models, whose names no bundle may take. */
  modelProviders?: readonly string[];
  processes: Pick<ProcessesPort, 'run'>;
  /** Where the folders of bundles lie, absolute; this process's alone. */
  root: string;
  /** Names this process. */
  owner: string;
  warn(message: string): void;
  /** How long a change waits for another worker's; default two minutes. */
  lockWaitMs?: number;
  /** How often it is looked whether another worker changed something; default two seconds. */
  lookEveryMs?: number;
}

const NOTHING: BundleState = { revision: -1, bundles: [], switches: [], pluginSwitches: [] };

/** The bundles of the deployment, as this worker runs them. */
export class Bundles {
  readonly #input: OpenBundlesInput;
  readonly #folders: BundleFolders;
  readonly #applied: AppliedPlugins;
  readonly #code = new Map<string, Promise<readonly DefinedPlugin[]>>();
  readonly #ending = new AbortController();
  #state = NOTHING;
  #failures: Applied['failures'] = new Map();
  #appliedAt = 0;
  #onApplied: () => void = () => undefined;
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(input: OpenBundlesInput) {
    this.#input = input;
    this.#folders = new BundleFolders(input);
    this.#applied = new AppliedPlugins(input);
  }

  /** Loads what tenants use, before any session is served; a bundle that cannot be loaded is told of and left out. */
  async start(): Promise<void> {
    const { bundles } = await readBundles(this.#input.database);
    await this.#folders.sweep(bundles.map(({ digest }) => digest));
    await this.#catchUp();
    this.#lookLater();
  }

  /** Stops looking for changes; the code that was loaded stays. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#ending.abort();
  }

  /** Has somebody told whenever other bundles take effect than before. */
  onApplied(listener: () => void): void {
    this.#onApplied = listener;
  }

  /** What the sessions of a tenant may do with plugins. */
  of(tenant: TenantId): PluginsPort {
    const seen = async () => {
      await this.#catchUp();
      return this.#state;
    };
    return {
      bundles: async (page) => {
        const state = await seen();
        return pageOf(bundleEntries(state, tenant, this.#here()), page);
      },
      plugins: async (page) => pageOf(pluginEntries(await seen(), tenant), page),
      change: (change, signal) => this.#change(tenant, change, signal),
    };
  }

  async #change(tenant: TenantId, change: PluginChange, signal: AbortSignal): Promise<PluginChangeOutcome> {
    const { database } = this.#input;
    switch (change.kind) {
      case 'set-bundle': {
        const { bundle, enabled } = change;
        if (!(await switchBundle(database, { tenant, bundle, enabled }))) return unknown(`bundle "${bundle}"`);
        return this.#took(tenant, bundle, enabled);
      }
      case 'set-plugin': {
        const { bundle, plugin } = splitPluginId(change.id);
        if (!(await switchPlugin(database, { tenant, bundle, plugin, enabled: change.enabled })))
          return unknown(`plugin "${change.id}"`);
        return this.#took(tenant, bundle, false);
      }
      case 'remove-bundle': {
        const removed = await uninstallBundle(this.#installing(tenant, signal), change.bundle);
        return removed.kind === 'done' ? this.#took(tenant, change.bundle, false) : removed.outcome;
      }
      case 'install-bundle': {
        const installed = await installBundle(this.#installing(tenant, signal), change);
        return installed.kind === 'done' ? this.#took(tenant, installed.name, change.enabled) : installed.outcome;
      }
    }
  }

  #installing(tenant: TenantId, signal: AbortSignal): InstallDeps {
    const { database, owner, lockWaitMs = 120_000 } = this.#input;
    return {
      database,
      owner,
      tenant,
      lockWaitMs,
      folders: this.#folders,
      load: (bundle) => this.#codeOf(bundle),
      signal: AbortSignal.any([signal, this.#ending.signal]),
    };
  }

  /** Applies what was stored and tells what came of it; a bundle that does not work when switched on is off again. */
  async #took(tenant: TenantId, bundle: string, switchedOn: boolean): Promise<PluginChangeOutcome> {
    const { needRestart } = await this.#catchUp();
    const failure = this.#failures.get(bundle);
    if (failure !== undefined && switchedOn) {
      await switchBundle(this.#input.database, { tenant, bundle, enabled: false });
      await this.#catchUp();
    }
    const entry = bundleEntries(this.#state, tenant, this.#here()).find(({ name }) => name === bundle);
    const left = needRestart.filter((plugin) => plugin.bundle.name === bundle).map(({ plugin }) => plugin);
    return {
      application: failure !== undefined ? 'failed' : left.length > 0 ? 'restart-required' : 'applied',
      ...(failure !== undefined && { message: failure }),
      ...(failure === undefined &&
        left.length > 0 && {
          message: `started by ${left.join(', ')} and not undone: every worker has to be restarted`,
        }),
      ...(entry && { bundle: entry }),
      pendingBuilds: entry?.pendingBuilds ?? [],
    };
  }

  /** Brings this process up to what is stored; one after another. */
  #catchUp(): Promise<Pick<Applied, 'needRestart'>> {
    const next = this.#last.then(async () => {
      const state = await readBundles(this.#input.database);
      const overdue = this.#failures.size > 0 && performance.now() - this.#appliedAt > RETRY_EVERY_MS;
      if (state.revision === this.#state.revision && !overdue) return { needRestart: [] };
      const applied = await this.#applied.apply({ wanted: wantedPlugins(state), load: (one) => this.#codeOf(one) });
      for (const [bundle, why] of applied.failures) this.#input.warn(`bundle "${bundle}": ${why}`);
      this.#failures = applied.failures;
      this.#state = state;
      this.#appliedAt = performance.now();
      this.#onApplied();
      return applied;
    });
    this.#last = next.catch(() => undefined);
    return next;
  }

  #codeOf(bundle: Pick<Bundle, 'name' | 'digest' | 'approvedBuilds'>): Promise<readonly DefinedPlugin[]> {
    const loading = this.#code.get(bundle.digest) ?? this.#load(bundle);
    this.#code.set(bundle.digest, loading);
    // What failed for want of a network may work the next time.
    loading.catch(() => this.#code.delete(bundle.digest));
    return loading;
  }

  async #load(bundle: Pick<Bundle, 'name' | 'digest' | 'approvedBuilds'>): Promise<readonly DefinedPlugin[]> {
    if (!(await this.#folders.has(bundle))) {
      const packed = await readPackedBundle(this.#input.database, bundle);
      if (!packed) throw new Error('it was replaced meanwhile');
      await this.#folders.restore({ ...bundle, ...packed }, this.#ending.signal);
    }
    return loadBundle(this.#folders.of(bundle), LOAD_TIMEOUT_MS);
  }

  #here() {
    return { loaded: this.#applied.digests, failures: this.#failures };
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => void this.#look(), this.#input.lookEveryMs ?? LOOK_EVERY_MS);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    try {
      const { revision } = this.#state;
      if (this.#failures.size > 0 || (await bundleRevision(this.#input.database)) !== revision) await this.#catchUp();
    } catch {
      // The database is away; what is loaded stays.
    }
    if (!this.#ending.signal.aborted) this.#lookLater();
  }
}

const unknown = (what: string): PluginChangeOutcome => ({
  application: 'failed',
  message: `${what} is unknown; list first`,
  pendingBuilds: [],
});
