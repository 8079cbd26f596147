import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDefinedPlugin, type DefinedPlugin } from '../define-plugin.ts';
import { PluginError } from '../plugin-error.ts';

/** The file in a bundle's folder that stands for its package. */
export const ENTRY = 'entry.mjs';

/** Loads a bundle's plugins, which runs its code in this process. Throws `PLUGIN_NOT_LOADED`, also when it takes too long. */
export async function loadBundle(folder: string, timeoutMs: number): Promise<readonly DefinedPlugin[]> {
  const loaded = await within(
    import(pathToFileURL(join(folder, ENTRY)).href) as Promise<{ default?: unknown }>,
    timeoutMs,
  );
  const plugins = [loaded.default].flat();
  if (plugins.length === 0 || !plugins.every(isDefinedPlugin))
    throw notLoaded('its default export must be what definePlugin returned, or a list of such');
  const names = plugins.map(({ parts }) => parts.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw notLoaded(`it has two plugins named "${twice}"`);
  return plugins;
}

async function within<T>(loading: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`its code did not load within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([loading, late]);
  } catch (cause) {
    throw notLoaded(cause instanceof Error ? cause.message : String(cause), cause);
  } finally {
    clearTimeout(timer);
  }
}

const notLoaded = (why: string, cause?: unknown): PluginError =>
  new PluginError('PLUGIN_NOT_LOADED', `the bundle cannot be loaded: ${why}`, { cause });
