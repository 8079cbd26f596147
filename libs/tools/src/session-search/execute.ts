import { text, type SessionId } from '@everturn/core/domain';
import { implementTool, type FoundSession } from '../kit/index.ts';
import {
  availability,
  CAPPED,
  moment,
  MOST_HITS,
  placeOf,
  seenText,
  titleOf,
} from '../kit/session-query/session-texts.ts';
import { given, instantOf, refuseEmpty, useSessions } from '../kit/session-query/use-sessions.ts';
import { sessionSearch } from './schema.ts';

/** Asks for the best event of each session that holds the phrase. */
export const executeSessionSearch = implementTool(sessionSearch, async (args, context) => {
  const { session_ids, parent_session_ids, event_types, event_surfaces } = args;
  refuseEmpty({ session_ids, parent_session_ids, availability: args.availability, event_types, event_surfaces });
  const found = await useSessions(context, (sessions) =>
    sessions.search({
      query: args.query,
      limit: MOST_HITS,
      sessions: given({
        sessions: session_ids as SessionId[] | undefined,
        createdFrom: instantOf('created_at_from', args.created_at_from),
        createdTo: instantOf('created_at_to', args.created_at_to),
        parents: parent_session_ids as SessionId[] | undefined,
        roots: args.include_root_sessions,
        availability: args.availability,
      }),
      events: given({
        types: event_types,
        surfaces: event_surfaces,
        seqFrom: args.event_seq_from,
        seqTo: args.event_seq_to,
        timeFrom: instantOf('event_time_from', args.event_time_from),
        timeTo: instantOf('event_time_to', args.event_time_to),
      }),
    }),
  );
  if (found.length === 0) return { content: [text('No prior session matches found.')] };
  const lines = [`Session search results (${found.length}):`, ...found.flatMap(linesOf)];
  return { content: [text([...lines, ...(found.length === MOST_HITS ? [CAPPED] : [])].join('\n'))] };
});

function linesOf({ session, title, createdAt, live, parent, best }: FoundSession, index: number): string[] {
  const from = parent === 'root' ? 'root' : parent.kind === 'outside' ? '[outside workspace]' : parent.session;
  return [
    `${index + 1}. Session ${seenText({ kind: 'session', session, title: titleOf(title), createdAt, live }, '')}`,
    `   Created: ${moment(createdAt)}`,
    `   Parent: ${from}`,
    `   Availability: ${availability({ live })}`,
    `   Best match: ${placeOf(best)}`,
    `   Snippet: ${best.snippet}`,
  ];
}
