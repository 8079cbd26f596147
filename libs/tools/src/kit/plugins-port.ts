import { ToolError } from './tool-error.ts';

/** A package of plugins that the deployment has, as one tenant sees it. */
export interface BundleEntry {
  name: string;
  version: string;
  /** What it was installed from. */
  spec: string;
  /** Whether the tenant uses it. */
  enabled: boolean;
  /** `failed`: this worker cannot load it; `error` says why. */
  state: 'loaded' | 'unused' | 'failed';
  error?: string;
  plugins: string[];
  /** Packages in it whose install scripts nobody has approved, so that they did not run. */
  pendingBuilds: string[];
  approvedBuilds: string[];
}

/** One plugin of a bundle. Its id is `<bundle>:<plugin>`. */
export interface PluginEntry {
  id: string;
  bundle: string;
  name: string;
  description?: string;
  /** Whether it takes effect for the tenant: both it and its bundle are on. */
  enabled: boolean;
}

/** A piece of a list. */
export interface PluginPage<T> {
  entries: T[];
  total: number;
  /** Absent from the end on: `null`. */
  nextOffset: number | null;
}

/** A change of what the tenant's sessions, or all of the deployment, have. */
export type PluginChange =
  | { kind: 'set-plugin'; id: string; enabled: boolean }
  | { kind: 'set-bundle'; bundle: string; enabled: boolean }
  | {
      kind: 'install-bundle';
      spec: string;
      enabled: boolean;
      approvedBuilds: readonly string[];
      registry?: string;
      /** Where a relative path of `spec` starts. */
      cwd: string;
    }
  | { kind: 'remove-bundle'; bundle: string };

/** What became of a change. After `failed` and `cancelled` it does not take effect. */
export interface PluginChangeOutcome {
  application: 'applied' | 'restart-required' | 'failed' | 'cancelled';
  /** Why it failed, or what a restart is needed for. */
  message?: string;
  /** The bundle that was changed. */
  bundle?: BundleEntry;
  pendingBuilds: string[];
}

/** Plugins of a tenant's sessions; a call has one only where a worker manages them. */
export interface PluginsPort {
  bundles(page: { offset: number; limit: number }): Promise<PluginPage<BundleEntry>>;
  plugins(page: { offset: number; limit: number }): Promise<PluginPage<PluginEntry>>;
  change(change: PluginChange, signal: AbortSignal): Promise<PluginChangeOutcome>;
}

/** The plugins of the session a call is for; throws `PLUGINS_UNAVAILABLE` where nobody manages any. */
export function pluginsOf({ plugins }: { plugins?: PluginsPort }): PluginsPort {
  if (plugins) return plugins;
  throw new ToolError('PLUGINS_UNAVAILABLE', 'plugins are not managed here');
}
