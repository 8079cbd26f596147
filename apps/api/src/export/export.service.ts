import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { readEvents, type Database } from '@everturn/core/postgres';
import { ZipFile } from 'yazl';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';

const EVENTS_PER_PAGE = 1_000;

/** Packs a session's log for somebody to take away. */
@Injectable()
export class ExportService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  /** A ZIP that is made while it is read: `session.json`, and `events.jsonl` with one event a line, in order. */
  async zip(key: SessionKey): Promise<Readable> {
    const { header, options, title, status, createdAt } = await this.access.find(key);
    const zip = new ZipFile();
    const about = { header, options, title, status, createdAt: createdAt.toISOString() };
    zip.addBuffer(Buffer.from(`${JSON.stringify(about, null, 2)}\n`), 'session.json');
    const events = Readable.from(this.#lines(key), { objectMode: false });
    const out = zip.outputStream as Readable;
    events.on('error', (error) => out.destroy(error));
    zip.addReadStream(events, 'events.jsonl');
    zip.end();
    return out;
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
