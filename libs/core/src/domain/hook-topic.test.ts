import { expect, test } from 'vitest';
import { hooksMeant, ofAgent, type AnnouncedHook } from './hook-topic.ts';

const hook = (dialect: AnnouncedHook['dialect'], event: AnnouncedHook['event'], matcher?: string): AnnouncedHook => ({
  id: `${dialect}.${event}.${matcher ?? ''}`,
  dialect,
  event,
  ...(matcher !== undefined && { matcher }),
});
const ids = (hooks: readonly AnnouncedHook[]) => hooks.map(({ id }) => id);

test('a hook is meant by its event, and by its matcher where the event has something to compare', () => {
  const all = [
    hook('claude', 'PreToolUse', 'write|edit'),
    hook('claude', 'PreToolUse'),
    hook('codex', 'PreToolUse', '^wr'),
    hook('http', 'PostToolUse'),
    hook('claude', 'UserPromptSubmit', 'never compared'),
  ];
  expect(ids(hooksMeant(all, () => ({ event: 'PreToolUse', matched: 'write' })))).toEqual([
    'claude.PreToolUse.write|edit',
    'claude.PreToolUse.',
    'codex.PreToolUse.^wr',
  ]);
  expect(ids(hooksMeant(all, () => ({ event: 'PreToolUse', matched: 'bash' })))).toEqual(['claude.PreToolUse.']);
  expect(hooksMeant(all, () => ({ event: 'UserPromptSubmit' }))).toHaveLength(1);
});

test('in the session of an agent, dialects that have events of agents hear of those', () => {
  const all = (['claude', 'codex', 'http'] as const).flatMap((dialect) => [
    hook(dialect, 'Stop'),
    hook(dialect, 'SubagentStop', 'general-purpose'),
  ]);
  expect(ids(hooksMeant(all, ofAgent({ event: 'Stop' }, 'SubagentStop', true)))).toEqual([
    'claude.SubagentStop.general-purpose',
    'codex.Stop.',
    'http.SubagentStop.general-purpose',
  ]);
  expect(ids(hooksMeant(all, ofAgent({ event: 'Stop' }, 'SubagentStop', false)))).toEqual([
    'claude.Stop.',
    'codex.Stop.',
    'http.Stop.',
  ]);
});
