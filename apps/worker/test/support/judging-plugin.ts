import { text } from '@everturn/core/domain';
import type { Plugin } from '../../src/plugins/index.ts';

/** Judges results for tests: says how long each was, so that it is known to have seen the whole, and lets some not pass. */
const plugin: Plugin = (api) => {
  api.on('tools/post-execute', async ({ result: { content } }, next) => {
    const whole = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    if (whole.includes('withheld.txt')) return { action: 'block', feedback: [text('not for them')] };
    const decision = await next();
    if (decision.action !== 'accept') return decision;
    return { ...decision, content: [text(`judged ${whole.length}\n${whole}`)] };
  });
};
// oxlint-disable-next-line import/no-default-export -- a plugin is a module's default export
export default plugin;
