import type { Plugin } from '../../src/plugins/index.ts';

/** Gives each session a command of its own, and some one in place of what all have. */
const plugin: Plugin = (api) => {
  api.eachSession((session, scope) => {
    scope.command({ name: 'whoami', description: 'Says which', handler: () => ({ kind: 'success', text: session }) });
    if (session.startsWith('greeting-'))
      scope.command({ name: 'greet', description: 'Greets here', handler: () => ({ kind: 'success', text: 'here' }) });
  });
};
// oxlint-disable-next-line import/no-default-export -- a plugin is a module's default export
export default plugin;
