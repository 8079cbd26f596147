import type { Plugin } from '../../src/plugins/index.ts';

let times = 0;

/** Chooses models for tests: one that is `refused`, and one that becomes another each time it is asked for. */
const plugin: Plugin = (api) => {
  api.on('agent/request', async ({ config }, next) => {
    if (config.model === 'refused') throw new Error('no such model today');
    if (config.model !== 'switching') return next();
    times += 1;
    return { ...config, model: `switched-${times}`, temperature: 0.5 };
  });
};
// oxlint-disable-next-line import/no-default-export -- a plugin is a module's default export
export default plugin;
