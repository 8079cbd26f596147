import { text, type JsonValue } from '@everturn/core/domain';
import { implementTool, pluginsOf, requireGrant, type ArgumentsOf, type PluginChange } from '../kit/index.ts';
import { pluginManager } from './schema.ts';

type Arguments = ArgumentsOf<typeof pluginManager.parameters>;

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** Answers lists and changes as JSON; a change that went wrong is an answer, too, and only bad arguments are errors. */
export const executePluginManager = implementTool(pluginManager, async (args, context) => {
  requireGrant(args, context.sandbox);
  if (context.sandbox.mode !== 'danger-full-access')
    throw new Error(`plugin_manager needs danger-full-access or an approval; this call has "${context.sandbox.mode}"`);
  const plugins = pluginsOf(context);
  switch (args.action) {
    case 'list_plugins':
      return answer(await plugins.plugins(pageOf(args)));
    case 'list_bundles':
      return answer(await plugins.bundles(pageOf(args)));
    default: {
      const outcome = await plugins.change(changeOf(args, context.cwd), context.signal);
      return answer({ action: args.action, target: args.target?.trim(), ...outcome });
    }
  }
});

function pageOf({ offset = 0, limit = DEFAULT_LIMIT }: Arguments): { offset: number; limit: number } {
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Error('offset must be a non-negative integer');
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new Error(`limit must be an integer from 1 to ${MAX_LIMIT}`);
  return { offset, limit };
}

function changeOf(args: Arguments, cwd: string): PluginChange {
  const { action, enabled, approvedBuilds = [], registry } = args;
  const target = args.target?.trim() ?? '';
  switch (action) {
    case 'set_plugin':
    case 'set_bundle':
      if (target === '' || enabled === undefined) throw new Error('target and enabled are required');
      return action === 'set_plugin'
        ? { kind: 'set-plugin', id: target, enabled }
        : { kind: 'set-bundle', bundle: target, enabled };
    case 'install_bundle':
      if (target === '') throw new Error('target package spec is required');
      return {
        kind: 'install-bundle',
        spec: target,
        enabled: enabled ?? true,
        approvedBuilds,
        cwd,
        ...(registry !== undefined && { registry }),
      };
    default:
      if (target === '') throw new Error('target is required');
      return { kind: 'remove-bundle', bundle: target };
  }
}

const answer = (value: object) => {
  const data = JSON.parse(JSON.stringify(value)) as JsonValue;
  return { content: [text(JSON.stringify(data, null, 2))], value: data };
};
