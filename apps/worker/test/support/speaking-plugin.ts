import { textOf } from '@everturn/core/domain';
import type { Plugin } from '../../src/plugins/index.ts';

const source = { kind: 'plugin', plugin: 'speaking' } as const;

/** Speaks to sessions for tests: where a person says `hand over`, and where a call is to be `stopped by plugin`. */
const plugin: Plugin = (api) => {
  api.on('agent/prompt-submit', async ({ content, initiator, asked }, next) => {
    if (!asked || textOf(content) !== 'hand over') return next();
    const { agent } = asked;
    const { model } = await agent.options();
    await agent.inject(`${agent.id} ${model ?? ''} ${await agent.status()}`, { source });
    await agent.steer('mind the gap', { source });
    await agent.send('a turn of its own', { source });
    const again = api.agent(initiator);
    void again.whenIdle().then(() => again.send('once all was quiet', { source }));
    return next();
  });
  api.on('tools/pre-execute', async ({ call, asked }, next) => {
    if (JSON.stringify(call.arguments).includes('stopped by plugin')) await asked?.agent.cancel();
    return next();
  });
};
// oxlint-disable-next-line import/no-default-export -- a plugin is a module's default export
export default plugin;
