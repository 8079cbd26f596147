import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import {
  importSteps,
  textOf,
  type SessionEvent,
  type SessionHeader,
  type SessionId,
  type TenantId,
} from '@everturn/core/domain';
import { importSessionRow, listLiveHosts, readSession, type Database } from '@everturn/core/postgres';
import { SessionMessenger } from '../platform/delivery/session-messenger.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { refuseForeignWorkspace } from '../platform/requests/allowed-workspace.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { previewOf } from '../platform/schemas/content.ts';
import { sessionState, type SessionState } from '../platform/schemas/session-state.ts';
import { CONFIG, DATABASE } from '../platform/tokens.ts';
import { bringPictures } from './bring-pictures.ts';
import { readArchive, refused, type Archive } from './read-archive.ts';
import type { ImportQuery } from './import-requests.ts';
import { inSlices } from './in-slices.ts';

/** Makes sessions of logs that were exported, here or elsewhere. */
@Injectable()
export class ImportService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: ApiConfig,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
  ) {}

  /** Refuses what a stored log must not be, naming the entry; then nothing has happened. */
  async import(tenant: TenantId, body: Buffer, query: ImportQuery): Promise<SessionState> {
    const archive = await readArchive(body);
    const { header: said, options, gaps } = archive.about;
    const log = await inSlices(importSteps(archive.lines, gaps));
    if (log.kind === 'refused') {
      const { code: rule, line, message } = log;
      throw refused({ entry: 'events.jsonl', rule, message, ...(line !== undefined && { line }) });
    }
    const cwd = query.workspace ?? said.cwd;
    await this.#refuseWorkspace(cwd);
    await this.#refuseForeign(tenant, archive, query);
    const brought = await bringPictures(this.database, { tenant, archive, events: log.events });
    const session = query.id ?? (archive.named ? said.id : (`ses-${randomUUID()}` as SessionId));
    const events = await brought.store();
    const parent = query.parent === 'drop' ? undefined : said.parentSession;
    const header: SessionHeader = {
      version: 0,
      id: session,
      createdAt: said.createdAt,
      seedLength: (events.at(-1)?.seq ?? -1) + 1,
      ...(cwd !== undefined && { cwd }),
      ...(parent && { parentSession: parent }),
      ...(said.delegationDepth !== undefined && { delegationDepth: said.delegationDepth }),
    };
    const { delegation: _theirs, ...own } = options;
    const started = await importSessionRow(this.database, {
      tenant,
      session,
      header,
      options: JSON.parse(JSON.stringify(own)) as object,
      metadata: own.metadata ?? {},
      preview: firstWords(events),
      events,
      gaps,
      ...(parent && { parent }),
      ...(own.model !== undefined && { model: own.model }),
    });
    if (started.kind !== 'started')
      throw new ApiError({
        code: 'SESSION_EXISTS',
        message: `a session "${session}" exists already; give another name with ?id=`,
      });
    await this.messenger.start({ tenant, session, intent: 'create' });
    const row = await this.access.find({ tenant, session });
    return sessionState({ row, temporal: this.config.temporal });
  }

  /** What stands above the session must be the tenant's own. */
  async #refuseForeign(tenant: TenantId, { about: { header } }: Archive, { parent }: ImportQuery): Promise<void> {
    const above = parent === 'drop' ? undefined : header.parentSession;
    if (!above || (await readSession(this.database, { tenant, session: above }))) return;
    throw refused({
      entry: 'session.json',
      rule: 'IMPORT_FOREIGN_ID',
      message: `header.parentSession: you have no session "${above}"; import that first, or give ?parent=drop`,
    });
  }

  async #refuseWorkspace(workspace: string | undefined): Promise<void> {
    if (workspace === undefined) return;
    const { workspaceRoots, dataDir } = this.config;
    const own = workspaceRoots.length > 0 ? workspaceRoots : [resolve(dataDir, 'workspaces')];
    const hosts = await listLiveHosts(this.database);
    refuseForeignWorkspace(workspace, [...new Set([...own, ...hosts.flatMap(({ roots }) => roots)])]);
  }
}

function firstWords(events: readonly SessionEvent[]): string {
  const first = events.find((event) => event.type === 'user/message');
  return first?.type === 'user/message' ? previewOf([{ type: 'text', text: textOf(first.data.content) }]) : '';
}
