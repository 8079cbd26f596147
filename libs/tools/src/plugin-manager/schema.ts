import { defineTool, stringField } from '../kit/index.ts';

/** Lists, installs, removes and switches what extends the agent. */
export const pluginManager = defineTool({
  name: 'plugin_manager',
  toolset: 'plugins',
  description: [
    'Manages what extends this agent: bundles (npm packages, installed for the whole deployment and switched on per tenant) and the plugins in them.',
    'Every call, listing too, needs the sandbox mode danger-full-access or the approval of a person, who is shown the arguments; where the approval policy is never it is rejected.',
    'A change is for all sessions of the tenant from their next step on; install_bundle and remove_bundle are for the deployment, and refused unless the tenant has an admin key.',
    'The answer is JSON. That of a change says its application (applied, restart-required, failed or cancelled) and pendingBuilds: packages whose install scripts did not run because nobody approved them.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: ['list_plugins', 'list_bundles', 'set_plugin', 'set_bundle', 'install_bundle', 'remove_bundle'],
        description: 'What to do.',
      },
      target: {
        type: 'string',
        description:
          'What to do it with, for all actions but the lists. set_plugin: a plugin id, as listed. set_bundle, remove_bundle: a package name, as listed. install_bundle: what npm can install: a name with or without version, a path or https address of a packed tarball, or a repository (git+https://…, git+ssh://…, git+file://…, github:owner/name, each with #branch, #tag or #commit if you like) whose checkout is packed as it is: its prepare script does not run.',
      },
      enabled: {
        type: 'boolean',
        description: 'On or off; required by set_plugin and set_bundle. Default for install_bundle: true.',
      },
      approvedBuilds: {
        type: 'array',
        items: { type: 'string' },
        description:
          'For install_bundle: names of packages in the bundle whose install scripts may run. Name only what the person agreed to; it is remembered for the bundle. Default: none run.',
      },
      registry: {
        type: 'string',
        description: 'For install_bundle: http or https address of the registry to ask. Default: the one npm has.',
      },
      offset: { type: 'number', description: 'For lists: how many entries to skip. Default 0.' },
      limit: { type: 'number', description: 'For lists: how many entries at most, 1 to 100. Default 25.' },
    },
    required: ['action'],
  },
  home: 'host',
  effect: 'at-most-once',
  escalation: 'plugin management operation',
  requiredMode: 'danger-full-access',
  presentCall: (args) => {
    const action = stringField(args, 'action');
    const target = stringField(args, 'target');
    return action === undefined
      ? undefined
      : { card: 'generic', title: `Plugins: ${action.replace('_', ' ')}${target === undefined ? '' : ` ${target}`}` };
  },
});
