import { expect, test } from 'vitest';
import { text } from './content.ts';
import { hookPayload, matchedBy, type HookSubject } from './hook-payload.ts';
import type { HookDialect } from './hook-events.ts';

const call = { callId: 'c1', name: 'bash', arguments: { command: 'ls', description: 'x' } };
const of = (dialect: HookDialect, subject: HookSubject) =>
  hookPayload({ dialect, subject, session: 's1', cwd: '/w', turn: 3, model: 'm' });

test('claude: what every hook reads, and what each event adds', () => {
  const common = { session_id: 's1', transcript_path: '', cwd: '/w' };
  const about = { tool_name: 'bash', tool_input: call.arguments, tool_use_id: 'c1' };
  const result = { content: [text('out')], isError: false };
  expect(of('claude', { event: 'SessionStart', source: 'resume' })).toEqual({
    ...common,
    hook_event_name: 'SessionStart',
    source: 'resume',
  });
  expect(of('claude', { event: 'UserPromptSubmit', content: [text('a'), text('b')] })).toEqual({
    ...common,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'a\nb',
  });
  expect(of('claude', { event: 'PreToolUse', call })).toEqual({ ...common, hook_event_name: 'PreToolUse', ...about });
  expect(of('claude', { event: 'PostToolUse', call, result })).toEqual({
    ...common,
    hook_event_name: 'PostToolUse',
    ...about,
    tool_response: result,
  });
  expect(of('claude', { event: 'Stop' })).toEqual({ ...common, hook_event_name: 'Stop', stop_hook_active: false });
});

test('codex: its own members, and of a call only the command', () => {
  const result = { content: [text('out')], isError: false };
  expect(of('codex', { event: 'PostToolUse', call, result })).toEqual({
    session_id: 's1',
    turn_id: '3',
    transcript_path: null,
    cwd: '/w',
    hook_event_name: 'PostToolUse',
    model: 'm',
    tool_name: 'bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'c1',
    tool_response: 'out',
  });
  const other = { ...call, arguments: { path: 'x' } };
  expect(of('codex', { event: 'PreToolUse', call: other })['tool_input']).toEqual({ command: '{"path":"x"}' });
});

test('an agent is told of in the session it works for, by its own id', () => {
  const agent = { id: 'sub-1', owner: 's0' };
  const common = { session_id: 's0', transcript_path: '', cwd: '/w', agent_id: 'sub-1', agent_type: 'general-purpose' };
  expect(of('claude', { event: 'SubagentStart', agent })).toEqual({ ...common, hook_event_name: 'SubagentStart' });
  expect(of('claude', { event: 'SubagentStop', agent })).toEqual({
    ...common,
    hook_event_name: 'SubagentStop',
    stop_hook_active: false,
    agent_transcript_path: '',
  });
  expect(of('http', { event: 'SubagentStop', agent })).toMatchObject({ session_id: 's0', agent_id: 'sub-1' });
  expect(matchedBy({ event: 'SubagentStart', agent })).toBe('general-purpose');
});

test('a matcher is compared with the tool, or with why the session starts', () => {
  const subjects: HookSubject[] = [
    { event: 'PreToolUse', call },
    { event: 'SessionStart', source: 'startup' },
    { event: 'Stop' },
  ];
  expect(subjects.map(matchedBy)).toEqual(['bash', 'startup', undefined]);
});
