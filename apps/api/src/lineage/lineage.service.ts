import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import { preOrder, type Placed, type RequestId, type SessionHeader, type SessionId } from '@everturn/core/domain';
import {
  forkBoundary,
  readSession,
  sessionsBelow,
  startSessionRow,
  type Database,
  type SessionRow,
} from '@everturn/core/postgres';
import type { CancelRequest, SessionOptions } from '@everturn/core/protocol';
import { SessionMessenger } from '../platform/delivery/session-messenger.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { refuseEnded, SessionAccess } from '../platform/requests/session-access.ts';
import { sessionState, type SessionState } from '../platform/schemas/session-state.ts';
import { CONFIG, DATABASE } from '../platform/tokens.ts';
import { cancelEach } from './cancel-each.ts';
import type { ForkBody, Tree, TreeNode } from './lineage-shapes.ts';

const MOST_NODES = 5_000;

/** What belongs to a session: its children, its forks, and theirs. */
@Injectable()
export class LineageService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: ApiConfig,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
  ) {}

  async tree(key: SessionKey): Promise<Tree> {
    const root = await this.access.find(key);
    const below = await sessionsBelow(this.database, key, MOST_NODES + 1);
    const rows = [{ ...root, depth: 0 }, ...preOrder(root.id, below.slice(0, MOST_NODES))];
    const parent = root.parent && (await readSession(this.database, { ...key, session: root.parent }));
    return {
      nodes: rows.map(nodeOf),
      usage: total(rows),
      ...(root.parent && !parent && { unresolvedParentId: root.parent }),
      truncated: below.length > MOST_NODES,
    };
  }

  async children(key: SessionKey): Promise<{ sessions: SessionState[] }> {
    await this.access.find(key);
    const below = await sessionsBelow(this.database, key, MOST_NODES);
    const direct = preOrder(key.session, below).filter(({ depth }) => depth === 1);
    return { sessions: direct.map((row) => sessionState({ row, temporal: this.config.temporal })) };
  }

  /** Stops what runs in a session and below it, from the top down; sessions stay, and so does what belongs to no turn. */
  async cancelTree(key: SessionKey): Promise<{ cancelled: SessionId[] }> {
    const root = await this.access.find(key);
    refuseEnded(root);
    const below = preOrder(root.id, await sessionsBelow(this.database, key, MOST_NODES));
    const live = [root, ...below].filter(({ status }) => status !== 'closed' && status !== 'broken');
    const ids = live.map(({ id }) => id);
    const cancelled = await cancelEach(ids, (session) => {
      const requestId = `cancel-${randomUUID()}` as RequestId;
      const message: CancelRequest = { requestId, cause: 'user', queue: 'clear' };
      return this.messenger.deliver({ ...key, session, name: 'cancel', message, intent: 'open' });
    });
    return { cancelled };
  }

  /** A new session that begins with the finished turns of this one. */
  async fork(key: SessionKey, body: ForkBody): Promise<SessionState> {
    const parent = await this.access.find(key);
    const atSeq = body?.atSeq;
    const boundary = await forkBoundary(this.database, { ...key, ...(atSeq !== undefined && { atSeq }) });
    if (boundary.kind !== 'at') throw noBoundary(boundary.kind, atSeq);
    const session = body?.id ?? (`ses-${randomUUID()}` as SessionId);
    const { delegation: _ours, ...options } = parent.options as SessionOptions;
    const started = await startSessionRow(this.database, {
      ...key,
      session,
      header: headerOf(parent, session, boundary.seq + 1),
      options: JSON.parse(JSON.stringify(options)) as object,
      metadata: parent.metadata,
      preview: parent.preview,
      parent: parent.id,
      ...(parent.model !== undefined && { model: parent.model }),
    });
    if (started.kind !== 'started')
      throw new ApiError({ code: 'SESSION_EXISTS', message: `a session "${session}" exists already` });
    await this.messenger.start({ ...key, session, intent: 'create' });
    const row = await this.access.find({ ...key, session });
    return sessionState({ row, temporal: this.config.temporal });
  }
}

function headerOf({ id, header: { cwd } }: SessionRow, session: SessionId, seedLength: number): SessionHeader {
  return {
    version: 0,
    id: session,
    createdAt: Date.now(),
    ...(cwd !== undefined && { cwd }),
    parentSession: id,
    seedLength,
  };
}

function noBoundary(kind: 'none' | 'open-turn', atSeq: number | undefined): ApiError {
  return kind === 'none'
    ? new ApiError({ code: 'NO_BOUNDARY', message: 'no turn of the session has ended; fork it when one has' })
    : new ApiError({
        code: 'OPEN_TURN',
        message: `atSeq ${atSeq} lies in a turn that has not ended; fork it when it has`,
      });
}

function nodeOf(row: Placed<SessionRow>): TreeNode {
  const { delegation } = row.options as SessionOptions;
  const { origin } = row.header;
  return {
    id: row.id,
    ...(row.parent && { parent: row.parent }),
    depth: row.depth,
    kind: origin ?? (row.parent ? 'fork' : 'session'),
    ...(delegation && { mode: delegation.mode }),
    label: delegation?.label ?? (row.title || row.preview),
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    usage: row.usage,
  };
}

function total(rows: readonly SessionRow[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { usage } of rows)
    for (const [name, count] of Object.entries(usage))
      if (typeof count === 'number') sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
