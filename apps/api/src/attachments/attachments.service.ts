import { Inject, Injectable } from '@nestjs/common';
import type { AttachmentId } from '@everturn/core/domain';
import { logRefersTo, readAttachment, type Database, type Picture } from '@everturn/core/postgres';
import { ApiError } from '../platform/errors/api-error.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';

/** Reads stored pictures. */
@Injectable()
export class AttachmentsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  /** A picture, if this session's log refers to it; throws `ATTACHMENT_NOT_FOUND`. */
  async read(key: SessionKey, attachment: AttachmentId): Promise<Picture> {
    await this.access.find(key);
    const refers = await logRefersTo(this.database, { ...key, attachment });
    const picture = refers ? await readAttachment(this.database, key.tenant, attachment) : undefined;
    if (picture) return picture;
    throw new ApiError({
      code: 'ATTACHMENT_NOT_FOUND',
      message: `the log of session "${key.session}" refers to no attachment ${attachment}`,
    });
  }
}
