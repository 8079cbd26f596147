import { text, type SessionId } from '@everturn/core/domain';
import { implementTool } from '../kit/index.ts';
import { availability, moment, seenText } from '../kit/session-query/session-texts.ts';
import { given, useSessions } from '../kit/session-query/use-sessions.ts';
import { sessionTrace } from './schema.ts';

/** Asks for a session's ancestors and descendants. */
export const executeSessionTrace = implementTool(sessionTrace, async ({ session_id }, context) => {
  const { target, ancestors, descendants } = await useSessions(context, (sessions) =>
    sessions.trace(given({ session: session_id as SessionId | undefined })),
  );
  const above = ancestors.map((seen) => `- ${seenText(seen, '[outside workspace boundary]')}`);
  const below = descendants.map(
    (seen) => `${'  '.repeat(seen.depth - 1)}- ${seenText(seen, '[outside workspace subtree]')}`,
  );
  const lines = [
    `Session ${seenText(target, '')}`,
    `Created: ${moment(target.createdAt)}`,
    `Availability: ${availability(target)}`,
    'Ancestors (nearest first):',
    ...(above.length > 0 ? above : ['- none (target is a root session)']),
    'Descendants:',
    ...(below.length > 0 ? below : ['- none']),
  ];
  return { content: [text(lines.join('\n'))] };
});
