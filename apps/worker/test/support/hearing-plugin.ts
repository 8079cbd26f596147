import { textOf, type SessionId } from '@everturn/core/domain';
import type { LiveNotification } from '../../src/contract/index.ts';
import type { Plugin } from '../../src/plugins/index.ts';

/** Hears for tests what agents, scripts and goals do, and says what it has heard to a session that asks. */
const plugin: Plugin = (api) => {
  const heard = new Map<SessionId, LiveNotification[]>();
  api.onLive((notification) => {
    const { kind, session } = notification;
    if (/^(subagent|workflow|goal)\//.test(kind)) heard.set(session, [...(heard.get(session) ?? []), notification]);
  });
  api.on('agent/prompt-submit', async ({ content, initiator, asked }, next) => {
    if (asked && textOf(content) === 'what was heard') {
      const words = JSON.stringify(heard.get(initiator.session) ?? []);
      await asked.agent.inject(words, { source: { kind: 'plugin', plugin: 'hearing' } });
    }
    return next();
  });
};
// oxlint-disable-next-line import/no-default-export -- a plugin is a module's default export
export default plugin;
