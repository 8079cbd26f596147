import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { pluginApi, type Plugin, type PluginApiInput } from './plugin-api.ts';
import { PluginError } from './plugin-error.ts';

/** Loads plugins in order; throws `PLUGIN_NOT_LOADED` naming the module, and nothing else then runs. */
export async function loadPlugins(input: PluginApiInput & { paths: readonly string[] }): Promise<void> {
  const api = pluginApi(input);
  for (const path of input.paths) {
    try {
      input.registry.global.addCode(await digestOf(path));
      const loaded = (await import(pathToFileURL(path).href)) as { default?: unknown };
      if (typeof loaded.default !== 'function') throw new TypeError('it has no default export that is a function');
      await (loaded.default as Plugin)(api);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new PluginError(
        'PLUGIN_NOT_LOADED',
        `plugin ${path}: ${why}. Correct the plugin or take it out of EVERTURN_PLUGINS.`,
        { cause },
      );
    }
  }
}

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
