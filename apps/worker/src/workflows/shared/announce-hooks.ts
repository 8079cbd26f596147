import {
  hooksMeant,
  ofAgent,
  type AnnouncedHook,
  type HookDialect,
  type HookInvoked,
  type HookTopic,
} from '@everturn/core/domain';
import type { HookRecord, Interception } from '../../contract/index.ts';
import type { LogWriter } from './log-writer.ts';

export interface AnnounceInput {
  writer: LogWriter;
  turn: number;
  /** Where it is asked: `t3`, `t3.s2`, `t3.s2.c0`. */
  place: string;
  interception: Interception;
  /** Of the deployment. */
  hooks: readonly AnnouncedHook[];
  isAgent: boolean;
}

/** Hooks whose runs the log was told of before they began. */
export interface Announced {
  /** Writes how they ended; one that nothing is known of did not run, or nobody knows. */
  end(records: readonly HookRecord[]): void;
}

/** Has the log tell of the hooks that are about to be asked: it rides with the question, and is there before they run. */
export function announceHooks({ writer, turn, place, interception, hooks, isAgent }: AnnounceInput): Announced {
  const { point } = interception;
  const topicFor = topicOf(interception, isAgent);
  const begun = (topicFor ? hooksMeant(hooks, topicFor) : []).map(({ id, dialect, matcher }): HookInvoked => ({
    turn,
    point,
    dialect,
    handlerId: `${id}@${place}`,
    ...(matcher !== undefined && { matcher }),
  }));
  for (const invoked of begun) writer.append('hook/invoked', invoked);
  return {
    end(records) {
      const open = new Set(begun.map(({ handlerId }) => handlerId));
      for (const { invoked, result } of records) {
        // A worker may have hooks that who composed did not know.
        if (!open.delete(invoked.handlerId)) writer.append('hook/invoked', invoked);
        writer.append('hook/result', result);
      }
      for (const handlerId of open) writer.append('hook/result', { turn, point, handlerId, ...NOT_RUN });
    },
  };
}

const NOT_RUN = {
  decision: 'pass',
  durationMs: 0,
  stderrSummary: 'it was not run, or nobody knows how it ended',
} as const;

/** What hooks would be told; nothing where they are not asked. */
function topicOf(interception: Interception, isAgent: boolean): ((dialect: HookDialect) => HookTopic) | undefined {
  switch (interception.point) {
    case 'agent/session-start':
      return ofAgent({ event: 'SessionStart', matched: interception.source }, 'SubagentStart', isAgent);
    case 'agent/prompt-submit':
      return () => ({ event: 'UserPromptSubmit' });
    case 'tools/pre-execute':
      return () => ({ event: 'PreToolUse', matched: interception.call.name });
    case 'tools/post-execute':
      return () => ({ event: 'PostToolUse', matched: interception.call.name });
    case 'agent/turn-continuation':
      return interception.decision === 'stop' ? ofAgent({ event: 'Stop' }, 'SubagentStop', isAgent) : undefined;
    default:
      return undefined;
  }
}
