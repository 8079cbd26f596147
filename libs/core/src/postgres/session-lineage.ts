import { sql } from 'kysely';
import { SessionQueryError, type SessionId, type TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** A session as others see it. */
export interface SessionCard {
  session: SessionId;
  title: string;
  createdAt: number;
  live: boolean;
  cwd?: string;
  parent?: SessionId;
}

/** Where a session comes from, and what came of it. */
export interface Lineage {
  target: SessionCard;
  /** Nearest first. */
  ancestors: SessionCard[];
  /** The last ancestor names a parent that is not there. */
  unresolvedParent?: SessionId;
  /** Breadth by depth: a parent before its children. */
  descendants: (SessionCard & { depth: number })[];
}

const MOST = 1_000;

interface Row {
  id: string;
  title: string;
  created_at: Date;
  status: string;
  cwd: string | null;
  parent_id: string | null;
}

/** The card of a session; `undefined` for one that is not there or of another tenant. */
export async function readSessionCard(
  database: Database,
  { tenant, session }: { tenant: TenantId; session: SessionId },
): Promise<SessionCard | undefined> {
  const { rows } = await sql<Row>`
    select id, title, created_at, status, header::json->>'cwd' as cwd, parent_id from sessions
    where tenant = ${tenant} and id = ${session}`.execute(database);
  return rows[0] && cardOf(rows[0]);
}

/** Traces a session; throws `SESSION_QUERY_SESSION_NOT_FOUND` and, for one that descends from itself, `…_INVALID_LINEAGE`. */
export async function traceSession(
  database: Database,
  key: { tenant: TenantId; session: SessionId },
): Promise<Lineage> {
  const target = await readSessionCard(database, key);
  if (!target) throw new SessionQueryError('SESSION_QUERY_SESSION_NOT_FOUND', `there is no session ${key.session}`);
  const { tenant } = key;
  const ancestors: SessionCard[] = [];
  const seen = new Set<string>([target.session]);
  let unresolvedParent: SessionId | undefined;
  for (let { parent } = target; parent !== undefined;) {
    if (seen.has(parent))
      throw new SessionQueryError('SESSION_QUERY_INVALID_LINEAGE', `session ${parent} descends from itself`);
    seen.add(parent);
    const card = await readSessionCard(database, { tenant, session: parent });
    if (!card) unresolvedParent = parent;
    else ancestors.push(card);
    parent = card?.parent;
  }
  const { rows } = await sql<Row & { depth: number }>`
    with recursive tree as (
      select id, 0 as depth, array[id] as path from sessions where tenant = ${tenant} and id = ${key.session}
      union all
      select s.id, tree.depth + 1, tree.path || s.id from tree join sessions as s on s.tenant = ${tenant} and s.parent_id = tree.id
      where not s.id = any (tree.path)
    )
    select s.id, s.title, s.created_at, s.status, s.header::json->>'cwd' as cwd, s.parent_id, tree.depth
    from tree join sessions as s on s.id = tree.id where tree.depth > 0
    order by tree.path limit ${MOST}`.execute(database);
  return {
    target,
    ancestors,
    ...(unresolvedParent !== undefined && { unresolvedParent }),
    descendants: rows.map((row) => ({ ...cardOf(row), depth: row.depth })),
  };
}

function cardOf({ id, title, created_at, status, cwd, parent_id }: Row): SessionCard {
  return {
    session: id as SessionId,
    title,
    createdAt: created_at.getTime(),
    live: !['closed', 'broken'].includes(status),
    ...(cwd !== null && { cwd }),
    ...(parent_id !== null && { parent: parent_id as SessionId }),
  };
}
