import type { ContentBlock } from './content.ts';
import type { HookDialect } from './hook-events.ts';
import type { JsonValue } from './json.ts';

/** What a hook is asked about. */
export type HookSubject =
  | { event: 'SessionStart'; source: string }
  | { event: 'UserPromptSubmit'; content: readonly ContentBlock[] }
  | { event: 'PreToolUse'; call: HookCall }
  | { event: 'PostToolUse'; call: HookCall; result: { content: readonly ContentBlock[]; isError: boolean } }
  | { event: 'Stop' }
  | { event: 'SubagentStart' | 'SubagentStop'; agent: HookAgent };

/** An agent that works for another session. */
export interface HookAgent {
  /** Its own session. */
  id: string;
  owner: string;
}

interface HookCall {
  callId: string;
  name: string;
  arguments: JsonValue;
}

export interface HookPayloadInput {
  dialect: HookDialect;
  subject: HookSubject;
  session: string;
  cwd: string;
  turn: number;
  model: string;
}

type Payload = Record<string, unknown>;

/** All agents are of one kind. */
export const HOOK_AGENT_TYPE = 'general-purpose';

/** What a hook reads, by its dialect. */
export function hookPayload({ dialect, subject, session, cwd, turn, model }: HookPayloadInput): Payload {
  const own = aboutSubject(dialect, subject);
  const id = 'agent' in subject ? subject.agent.owner : session;
  switch (dialect) {
    case 'claude':
      return { session_id: id, transcript_path: '', cwd, hook_event_name: subject.event, ...own };
    case 'codex':
      return {
        session_id: session,
        turn_id: String(turn),
        transcript_path: null,
        cwd,
        hook_event_name: subject.event,
        model,
        ...own,
      };
    case 'http':
      return { session_id: id, turn, cwd, model, hook_event_name: subject.event, ...own };
  }
}

function aboutSubject(dialect: HookDialect, subject: HookSubject): Payload {
  switch (subject.event) {
    case 'SessionStart':
      return { source: subject.source };
    case 'UserPromptSubmit':
      return { prompt: textOf(subject.content) };
    case 'PreToolUse':
      return aboutCall(dialect, subject.call);
    case 'PostToolUse': {
      const { content, isError } = subject.result;
      const response = dialect === 'codex' ? textOf(content) : { content, isError };
      return { ...aboutCall(dialect, subject.call), tool_response: response };
    }
    case 'Stop':
      return { stop_hook_active: false };
    case 'SubagentStart':
      return aboutAgent(subject.agent);
    case 'SubagentStop':
      return { stop_hook_active: false, ...aboutAgent(subject.agent), agent_transcript_path: '' };
  }
}

const aboutAgent = ({ id }: HookAgent): Payload => ({ agent_id: id, agent_type: HOOK_AGENT_TYPE });

function aboutCall(dialect: HookDialect, { callId, name, arguments: given }: HookCall): Payload {
  const input = dialect === 'codex' ? { command: commandOf(given) } : given;
  return { tool_name: name, tool_input: input, tool_use_id: callId };
}

/** The command of a call that has one; the arguments of any other, so that a hook sees what is asked for. */
function commandOf(given: JsonValue): string {
  const { command } = typeof given === 'object' && given !== null ? (given as { command?: JsonValue }) : {};
  if (typeof command === 'string') return command;
  return typeof given === 'string' ? given : JSON.stringify(given);
}

/** Its text blocks, one after another. */
function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** What the matcher of a hook is compared with; nothing = every hook of the event is meant. */
export function matchedBy(subject: HookSubject): string | undefined {
  switch (subject.event) {
    case 'SessionStart':
      return subject.source;
    case 'PreToolUse':
    case 'PostToolUse':
      return subject.call.name;
    case 'SubagentStart':
    case 'SubagentStop':
      return HOOK_AGENT_TYPE;
    case 'UserPromptSubmit':
    case 'Stop':
      return undefined;
  }
}
