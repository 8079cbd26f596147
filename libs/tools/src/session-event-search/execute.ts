import { text, type SessionId } from '@everturn/core/domain';
import { implementTool } from '../kit/index.ts';
import { CAPPED, MOST_HITS, placeOf, titleOf } from '../kit/session-query/session-texts.ts';
import { given, instantOf, refuseEmpty, useSessions } from '../kit/session-query/use-sessions.ts';
import { sessionEventSearch } from './schema.ts';

/** Asks for the events of one session that hold the phrase. */
export const executeSessionEventSearch = implementTool(sessionEventSearch, async (args, context) => {
  const { event_types, surfaces } = args;
  refuseEmpty({ event_types, surfaces });
  const { session, title, hits } = await useSessions(context, (sessions) =>
    sessions.searchEvents({
      ...given({ session: args.session_id as SessionId | undefined }),
      query: args.query,
      limit: MOST_HITS,
      events: given({
        types: event_types,
        surfaces,
        seqFrom: args.seq_from,
        seqTo: args.seq_to,
        timeFrom: instantOf('time_from', args.time_from),
        timeTo: instantOf('time_to', args.time_to),
      }),
    }),
  );
  const heading = `Session ${session} — ${titleOf(title)}`;
  if (hits.length === 0) return { content: [text(`${heading}\nNo prior event matches found.`)] };
  const lines = hits.flatMap((hit, index) => [`${index + 1}. ${placeOf(hit)}`, `   Snippet: ${hit.snippet}`]);
  const all = [
    heading,
    `Event search results (${hits.length}):`,
    ...lines,
    ...(hits.length === MOST_HITS ? [CAPPED] : []),
  ];
  return { content: [text(all.join('\n'))] };
});
