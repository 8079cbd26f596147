import {
  attachmentsOf,
  IMAGE_LIMITS,
  withPictures,
  type AdmittedImage,
  type AttachmentId,
  type ImageBlock,
  type SessionEvent,
  type TenantId,
} from '@everturn/core/domain';
import { admitImage, isImageError } from '@everturn/core/images';
import { putAttachment, referToAttachment, type Database } from '@everturn/core/postgres';
import { refused, type Archive } from './read-archive.ts';

/** A log with more of them is no conversation. */
const MOST_PICTURES = 5_000;

/** A log whose pictures were looked at: `store` keeps those that came with it and answers the events that refer to them. */
export interface BroughtLog {
  store(): Promise<SessionEvent[]>;
}

/**
 * The pictures of a log are its tenant's own, which stay from here on, or came with it; they are checked as those of
 * messages are. What has no picture is refused by the line that shows it.
 */
export async function bringPictures(
  database: Database,
  { tenant, archive, events }: { tenant: TenantId; archive: Archive; events: readonly SessionEvent[] },
): Promise<BroughtLog> {
  const shown = attachmentsOf(events);
  if (shown.size > MOST_PICTURES)
    throw refused({
      entry: 'events.jsonl',
      rule: 'IMPORT_TOO_MANY_PICTURES',
      message: `the log shows ${shown.size} pictures, the limit is ${MOST_PICTURES}`,
    });
  const missing: string[] = [];
  for (const id of shown.keys()) if (!(await referToAttachment(database, tenant, id as AttachmentId))) missing.push(id);
  const brought = await archive.pictures(missing);
  const images = new Map<string, AdmittedImage>();
  for (const id of missing) {
    const bytes = brought.get(id);
    if (!bytes) throw notThere(events, { id, seq: shown.get(id) });
    images.set(id, await admitted(id, bytes));
  }
  return {
    async store() {
      const stored = new Map<string, ImageBlock>();
      for (const [id, image] of images) stored.set(id, await putAttachment(database, tenant, image));
      return withPictures(events, stored);
    },
  };
}

function admitted(id: string, bytes: Uint8Array): Promise<AdmittedImage> {
  return admitImage({ bytes, limits: IMAGE_LIMITS }).catch((error: unknown) => {
    if (!isImageError(error)) throw error;
    throw refused({ entry: `attachments/${id}`, rule: 'IMPORT_INVALID_PICTURE', message: error.message });
  });
}

function notThere(events: readonly SessionEvent[], { id, seq }: { id: string; seq: number | undefined }) {
  return refused({
    entry: 'events.jsonl',
    rule: 'IMPORT_FOREIGN_ID',
    line: events.findIndex((event) => event.seq === seq) + 1,
    message: `event ${seq} shows the picture ${id}, which you do not have and which did not come along`,
  });
}
