import type { Plugin } from '../../src/plugins/index.ts';

/** Policy for tests: a call whose arguments hold `please-ask` needs a person, one with `please-deny` is refused. */
const plugin: Plugin = (api) => {
  api.on('tools/pre-execute', async ({ call }, next) => {
    const wanted = JSON.stringify(call.arguments);
    if (wanted.includes('please-deny')) return { action: 'deny', reason: 'policy says no' };
    if (wanted.includes('please-ask')) return { action: 'ask', reason: 'it says please-ask' };
    return next();
  });
  api.command({
    name: 'greet',
    description: 'Greets somebody',
    input: '<name>',
    handler: (input) => {
      if (input.trim() === '') throw new Error('greet whom?');
      return { kind: 'success', text: `hello${input}` };
    },
  });
};
// oxlint-disable-next-line import/no-default-export -- a plugin is a module's default export
export default plugin;
