import type { ContentBlock } from './content.ts';
import type { JsonValue } from './json.ts';

/** Which route produced an assistant message, and what its adapter needs to replay it. */
export interface AssistantProvenance {
  provider: string;
  model: string;
  replayState?: JsonValue;
}

/** One message of a model request. */
export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: ContentBlock[];
  provenance?: AssistantProvenance;
}

/** Who put a message into the session, keyed by `kind`; packages add kinds by declaration merging. */
export interface MessageSourceMap {
  user: { kind: 'user'; rpcId?: string; clientTimeZone?: string };
  plugin: { kind: 'plugin'; plugin: string; form?: string; summary?: string };
}
export type MessageSource = MessageSourceMap[keyof MessageSourceMap];

/** A context a hook, tool or plugin adds for the model; `meta` never reaches it. */
export interface HookContext {
  content: ContentBlock[];
  source: MessageSource;
  meta?: JsonValue;
}
