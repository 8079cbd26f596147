import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { readEvents, readGaps, sessionsBelow, type Database, type SessionRow } from '@everturn/core/postgres';
import { ZipFile } from 'yazl';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';

const EVENTS_PER_PAGE = 1_000;
const MOST_SESSIONS = 1_000;

/** Packs a session's log for somebody to take away. */
@Injectable()
export class ExportService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  /**
   * A ZIP that is made while it is read: `session.json`, and `events.jsonl` with one event a line, in order; of sessions
   * below it the same in a folder each.
   */
  async zip(key: SessionKey, { descendants }: { descendants: boolean }): Promise<Readable> {
    const root = await this.access.find(key);
    const below = descendants ? await sessionsBelow(this.database, key, MOST_SESSIONS + 1) : [];
    if (below.length > MOST_SESSIONS)
      throw new ApiError({
        code: 'INVALID_REQUEST',
        message: `query.descendants: more than ${MOST_SESSIONS} sessions lie below this one; export its children each`,
      });
    const zip = new ZipFile();
    await this.#add(zip, root, { key, folder: '' });
    for (const row of below)
      await this.#add(zip, row, { key: { ...key, session: row.id }, folder: `descendants/${row.id}/` });
    zip.end();
    return zip.outputStream as Readable;
  }

  async #add(zip: ZipFile, row: SessionRow, { key, folder }: { key: SessionKey; folder: string }): Promise<void> {
    const { header, options, title, status, createdAt } = row;
    const gaps = await readGaps(this.database, key);
    const about = { header, options, title, status, createdAt: createdAt.toISOString(), gaps };
    zip.addBuffer(Buffer.from(`${JSON.stringify(about, null, 2)}\n`), `${folder}session.json`);
    const out = zip.outputStream as Readable;
    // One log at a time is read, when its turn to be packed has come.
    zip.addReadStreamLazy(`${folder}events.jsonl`, (take) => {
      const events = Readable.from(this.#lines(key), { objectMode: false });
      events.on('error', (error) => out.destroy(error));
      take(null, events);
    });
  }

  /** The log as it is when its last page is read. */
  async *#lines(key: SessionKey): AsyncGenerator<string> {
    for (let from: number | undefined = 0; from !== undefined;) {
      const page: Awaited<ReturnType<typeof readEvents>> = await readEvents(this.database, {
        ...key,
        from,
        limit: EVENTS_PER_PAGE,
      });
      if (page.events.length > 0) yield page.events.map((event) => `${JSON.stringify(event)}\n`).join('');
      from = page.next;
    }
  }
}
