import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { attachmentsOf, type AttachmentId, type TenantId } from '@everturn/core/domain';
import {
  readAttachment,
  readAttachmentFacts,
  readEvents,
  readGaps,
  sessionsBelow,
  type Database,
  type LogGap,
  type SessionRow,
} from '@everturn/core/postgres';
import { ZipFile } from 'yazl';
import { pictureEntry } from '../platform/archive/picture-entry.ts';
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
   * below it the same in a folder each; at last, once each, the pictures that these logs show.
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
    const shown = new Set<AttachmentId>();
    // Which pictures there are is known once the last log was read.
    const finish = async () => {
      await this.#addPictures(zip, key.tenant, shown);
      zip.end();
    };
    const logs = [{ row: root, folder: '' }, ...below.map((row) => ({ row, folder: `descendants/${row.id}/` }))];
    for (const [place, { row, folder }] of logs.entries()) {
      const own = { ...key, session: row.id };
      zip.addBuffer(aboutOf(row, await readGaps(this.database, own)), `${folder}session.json`);
      addLazily(zip, `${folder}events.jsonl`, () =>
        this.#lines(own, shown, place < logs.length - 1 ? undefined : finish),
      );
    }
    return zip.outputStream as Readable;
  }

  /** The log as it is when its last page is read; notes which pictures it shows. */
  async *#lines(key: SessionKey, shown: Set<AttachmentId>, then?: () => Promise<void>): AsyncGenerator<string> {
    for (let from: number | undefined = 0; from !== undefined;) {
      const page: Awaited<ReturnType<typeof readEvents>> = await readEvents(this.database, {
        ...key,
        from,
        limit: EVENTS_PER_PAGE,
      });
      const lines = page.events.map((event) => `${JSON.stringify(event)}\n`).join('');
      if (lines.includes('"attachmentId"'))
        for (const id of attachmentsOf(page.events).keys()) shown.add(id as AttachmentId);
      if (lines !== '') yield lines;
      from = page.next;
    }
    await then?.();
  }

  /** Each is read when its turn to be packed has come. */
  async #addPictures(zip: ZipFile, tenant: TenantId, shown: ReadonlySet<AttachmentId>): Promise<void> {
    for (const id of shown) {
      const facts = await readAttachmentFacts(this.database, tenant, id);
      if (facts)
        addLazily(zip, pictureEntry(id, facts.mediaType), () => this.#picture(tenant, id), { compress: false });
    }
  }

  async *#picture(tenant: TenantId, id: AttachmentId): AsyncGenerator<Uint8Array> {
    const picture = await readAttachment(this.database, tenant, id);
    if (picture) yield picture.bytes;
  }
}

function aboutOf(row: SessionRow, gaps: LogGap[]): Buffer {
  const { header, options, title, status, createdAt } = row;
  const about = { header, options, title, status, createdAt: createdAt.toISOString(), gaps };
  return Buffer.from(`${JSON.stringify(about, null, 2)}\n`);
}

/** One entry at a time is read; where that fails the archive is cut off. */
function addLazily(
  zip: ZipFile,
  name: string,
  read: () => AsyncIterable<string | Uint8Array>,
  options: { compress?: boolean } = {},
): void {
  const out = zip.outputStream as Readable;
  zip.addReadStreamLazy(name, options, (take) => {
    const content = Readable.from(read(), { objectMode: false });
    content.on('error', (error) => out.destroy(error));
    take(null, content);
  });
}
