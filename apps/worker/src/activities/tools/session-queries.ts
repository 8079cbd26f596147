import { SessionQueryError, type SessionId } from '@everturn/core/domain';
import {
  readEventWindow,
  readSessionCard,
  searchEvents,
  searchSessions,
  traceEvent,
  traceSession,
  type SessionCard,
} from '@everturn/core/postgres';
import { ToolError, type SeenSession, type SessionQueryPort } from '@everturn/tools/kit';
import { sql } from 'kysely';
import type { ActivityDeps } from '../activity-deps.ts';
import type { CallPlace } from './call-place.ts';

type Deps = Pick<ActivityDeps, 'database' | 'facts'>;

/**
 * What a call may ask about sessions: those of its tenant that work in the very folder its own session works in, byte for
 * byte. One that may not be seen is as if it were not there.
 */
export function sessionQueries(deps: Deps, place: CallPlace): SessionQueryPort {
  const { database } = deps;
  const { tenant } = place;
  const ownFolder = async () => (await deps.facts.read(place)).header.cwd;
  const target = (session: SessionId | undefined) => visible(deps, place, session ?? place.session);
  return {
    search: async ({ query, limit, sessions, events }) => {
      const cwd = await ownFolder();
      if (cwd === undefined)
        throw new ToolError(
          'SESSION_QUERY_TOOL_UNAUTHORIZED',
          'a session without a folder of its own sees no other sessions',
        );
      const parents = sessions.parents && (await only(deps, place, sessions.parents));
      if (parents?.length === 0 && !sessions.roots) return [];
      const found = await explained(() =>
        searchSessions(database, {
          tenant,
          query,
          limit,
          events,
          ...sessions,
          ...(parents && { parents }),
          cwd,
          except: place.session,
        }),
      );
      return Promise.all(
        found.map(async ({ parent, ...hit }) => ({
          ...hit,
          parent:
            parent === undefined
              ? ('root' as const)
              : seenBy(cwd, await readSessionCard(database, { tenant, session: parent })),
        })),
      );
    },
    searchEvents: async ({ session, query, limit, events }) => {
      const card = await target(session);
      const before = card.session === place.session ? await stepStart(deps, place) : undefined;
      const seqTo = before === undefined ? events.seqTo : Math.min(events.seqTo ?? before - 1, before - 1);
      const filters = { ...events, ...(seqTo !== undefined && { seqTo }) };
      const { hits } = await explained(() =>
        searchEvents(database, { tenant, query, limit, sessions: [card.session], ...filters }),
      );
      return { session: card.session, title: card.title, hits };
    },
    trace: async ({ session }) => {
      const card = await target(session);
      const { ancestors, descendants, unresolvedParent } = await explained(() =>
        traceSession(database, { tenant, session: card.session }),
      );
      const cwd = await ownFolder();
      const outside: SeenSession[] = unresolvedParent === undefined ? [] : [{ kind: 'outside' }];
      return {
        target: { kind: 'session', ...card },
        ancestors: [...ancestors.map((one) => seenBy(cwd, one)), ...outside],
        descendants: descendants.map((one) => ({ ...seenBy(cwd, one), depth: one.depth })),
      };
    },
    traceEvent: async ({ session, seq }) => {
      const card = await target(session);
      return {
        session: card.session,
        ...(await explained(() => traceEvent(database, { tenant, session: card.session, seq }))),
      };
    },
    read: async ({ session, ...window }) => {
      const card = await target(session);
      return explained(() => readEventWindow(database, { tenant, session: card.session, ...window }));
    },
  };
}

/** The session asked about, if the caller may see it. */
async function visible(deps: Deps, place: CallPlace, session: SessionId): Promise<SessionCard> {
  const card = await readSessionCard(deps.database, { tenant: place.tenant, session });
  const { cwd } = (await deps.facts.read(place)).header;
  if (card && (session === place.session || (cwd !== undefined && card.cwd === cwd))) return card;
  throw new ToolError('SESSION_QUERY_SESSION_NOT_FOUND', `there is no session ${session}`);
}

/** Those the caller may see; asked before anything is searched, so that a missing one and a foreign one look alike. */
async function only(deps: Deps, place: CallPlace, sessions: readonly SessionId[]): Promise<SessionId[]> {
  const { cwd } = (await deps.facts.read(place)).header;
  const { tenant } = place;
  const cards = await Promise.all(sessions.map((session) => readSessionCard(deps.database, { tenant, session })));
  return cards.flatMap((card) => (card && card.cwd === cwd ? [card.session] : []));
}

function seenBy(cwd: string | undefined, card: SessionCard | undefined): SeenSession {
  if (!card || cwd === undefined || card.cwd !== cwd) return { kind: 'outside' };
  const { session, title, createdAt, live } = card;
  return { kind: 'session', session, title, createdAt, live };
}

/** Where the caller's own step begins: what it says itself is no earlier word of its session. */
async function stepStart({ database }: Deps, { tenant, session, turn, step }: CallPlace): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select max(seq) as seq from session_events
    where tenant = ${tenant} and session_id = ${session} and type = 'step/start' and turn = ${turn} and step = ${step}`.execute(
    database,
  );
  const seq = rows[0]?.seq;
  if (typeof seq === 'number') return seq;
  throw new ToolError('SESSION_QUERY_TOOL_NO_CURRENT_STEP', 'the session is in no step');
}

async function explained<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SessionQueryError) throw new ToolError(error.code, error.message, { cause: error });
    throw error;
  }
}
