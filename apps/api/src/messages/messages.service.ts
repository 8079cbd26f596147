import { Inject, Injectable } from '@nestjs/common';
import {
  deriveMessages,
  eventTypes,
  isSurfaceType,
  SurfaceFold,
  type Message,
  type SessionEvent,
} from '@everturn/core/domain';
import { readEvents, readHead, type Database } from '@everturn/core/postgres';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';
import { logPages } from './log-pages.ts';
import { transcriptEntries, type TranscriptEntry } from './transcript.ts';

const surfaceTypes = (): string[] => eventTypes().filter((type) => isSurfaceType(type));

/** Two readings of a log: what the model would be sent now, and what people saw. */
@Injectable()
export class MessagesService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  /** The messages derived from the log up to `asOfSeq`, which was its end when they were asked for. */
  async messages(key: SessionKey): Promise<{ messages: Message[]; asOfSeq: number }> {
    await this.access.find(key);
    const head = await readHead(this.database, key);
    const asOfSeq = (head?.nextSeq ?? 0) - 1;
    const fold = new SurfaceFold();
    for await (const events of logPages({ database: this.database, key, to: asOfSeq, types: surfaceTypes() })) {
      for (const event of events) fold.apply(event);
    }
    return { messages: deriveMessages(fold.nodes()), asOfSeq };
  }

  /** A page of the transcript after a seq; `next` continues as `after`. */
  async transcript(key: SessionKey, { after, limit }: { after: number; limit: number }) {
    await this.access.find(key);
    const types = [...surfaceTypes(), 'tool/call'];
    const { events, next } = await readEvents(this.database, { ...key, from: after + 1, types, limit });
    const entries: TranscriptEntry[] = transcriptEntries([...(await this.#earlierCalls(key, events)), ...events]);
    return { entries, next: next === undefined ? null : next - 1 };
  }

  /** Calls whose results begin this page although they ended the one before. */
  async #earlierCalls(key: SessionKey, events: readonly SessionEvent[]): Promise<SessionEvent[]> {
    const first = events[0]?.seq ?? 0;
    const missing = events.flatMap((event) =>
      event.type === 'tool/result' ? (event.sourceEventSeqs ?? []).slice(0, 1).filter((seq) => seq < first) : [],
    );
    if (missing.length === 0) return [];
    const [from, to] = [missing.reduce((a, b) => Math.min(a, b)), missing.reduce((a, b) => Math.max(a, b))];
    const page = await readEvents(this.database, { ...key, from, to, types: ['tool/call'], limit: to - from + 1 });
    return page.events;
  }
}
