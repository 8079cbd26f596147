import { HOOK_AGENT_TYPE } from './hook-payload.ts';
import type { HookDialect } from './hook-events.ts';
import { hookMatcher } from './hook-matcher.ts';
import type { HookEventName } from './hook-output.ts';

/** A hook as those know it who tell of it before it is run. */
export interface AnnouncedHook {
  id: string;
  dialect: HookDialect;
  event: HookEventName;
  matcher?: string;
}

/** What happens, as hooks of one dialect are told: the event's name, and what their matchers are compared with. */
export interface HookTopic {
  event: HookEventName;
  matched?: string;
}

/** The event that something in an agent's session is to hooks: the dialect has one of its own for agents, or not. */
export function ofAgent(topic: HookTopic, agent: HookEventName, isAgent: boolean) {
  return (dialect: HookDialect): HookTopic =>
    isAgent && dialect !== 'codex' ? { event: agent, matched: HOOK_AGENT_TYPE } : topic;
}

/** The hooks that are meant, in their order. */
export function hooksMeant<Hook extends AnnouncedHook>(
  hooks: readonly Hook[],
  topicFor: (dialect: HookDialect) => HookTopic,
): Hook[] {
  return hooks.filter(({ dialect, event, matcher }) => {
    const topic = topicFor(dialect);
    return event === topic.event && (topic.matched === undefined || hookMatcher(dialect, matcher)(topic.matched));
  });
}
