import { Inject, Injectable } from '@nestjs/common';
import { deleteMessageFeedback, listMessageFeedback, putMessageFeedback, type Database } from '@everturn/core/postgres';
import { ApiError } from '../platform/errors/api-error.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { FeedbackBody, FeedbackList, FeedbackReceipt } from './feedback-requests.ts';

const MOST_NOTE_BYTES = 8_192;

/** What people think of a session's answers. */
@Injectable()
export class FeedbackService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  async list(key: SessionKey): Promise<FeedbackList> {
    await this.access.find(key);
    return { feedback: await listMessageFeedback(this.database, key) };
  }

  /** Throws `FEEDBACK_…`, naming what is wrong; then nothing has changed. */
  async put(key: SessionKey, seq: number, { rating, note, ifVersion }: FeedbackBody): Promise<FeedbackReceipt> {
    refuseNote(note);
    await this.access.find(key);
    const put = await putMessageFeedback(this.database, {
      ...key,
      seq,
      rating,
      ...(note !== undefined && { note }),
      ...(ifVersion !== undefined && { ifVersion }),
    });
    switch (put.kind) {
      case 'put':
        return { version: put.version };
      case 'no-target':
        throw new ApiError({ code: 'FEEDBACK_TARGET_NOT_FOUND', message: `event ${seq} of the session is no answer` });
      case 'conflict':
        throw new ApiError({
          code: 'FEEDBACK_VERSION_CONFLICT',
          message: `ifVersion ${String(ifVersion)} is not the version there is: read it again and repeat the change`,
          details: { expected: ifVersion, actual: put.actual },
        });
    }
  }

  async delete(key: SessionKey, seq: number): Promise<void> {
    await this.access.find(key);
    await deleteMessageFeedback(this.database, { ...key, seq });
  }
}

function refuseNote(note: string | undefined): void {
  if (note === undefined) return;
  if (note.trim() === '')
    throw new ApiError({ code: 'FEEDBACK_NOTE_BLANK', message: 'body.note: says nothing; leave it out instead' });
  if (Buffer.byteLength(note) > MOST_NOTE_BYTES)
    throw new ApiError({
      code: 'FEEDBACK_NOTE_TOO_LARGE',
      message: `body.note: is longer than ${MOST_NOTE_BYTES} bytes`,
    });
}
