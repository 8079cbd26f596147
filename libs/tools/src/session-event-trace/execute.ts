import { text, type SessionId } from '@everturn/core/domain';
import { implementTool } from '../kit/index.ts';
import { moment } from '../kit/session-query/session-texts.ts';
import { given, useSessions } from '../kit/session-query/use-sessions.ts';
import { sessionEventTrace } from './schema.ts';

/** Asks what an event replaced, was replaced by, was made from and led to. */
export const executeSessionEventTrace = implementTool(sessionEventTrace, async ({ session_id, seq }, context) => {
  const trace = await useSessions(context, (sessions) =>
    sessions.traceEvent({ ...given({ session: session_id as SessionId | undefined }), seq }),
  );
  const lines = [
    `Target: seq ${seq} | ${trace.type} | ${moment(trace.time)}`,
    `Replaced by: ${trace.replacedBy ?? 'none'}`,
    `Replacement chain: ${listOf(trace.replacementChain)}`,
    `Events replaced by target: ${listOf(trace.replacedEventSeqs)}`,
    `Events cited directly as sources: ${listOf(trace.sourceEventSeqs)}`,
    `Direct derived events: ${listOf(trace.derivedEventSeqs)}`,
  ];
  return { content: [text(lines.join('\n'))] };
});

const listOf = (seqs: readonly number[]): string => (seqs.length === 0 ? 'none' : seqs.join(', '));
