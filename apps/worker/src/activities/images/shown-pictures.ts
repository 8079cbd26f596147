import { imagesToSend, type AttachmentId, type Message, type TenantId } from '@everturn/core/domain';
import { readAttachment, type Database } from '@everturn/core/postgres';
import { BoundedCache } from '../context/bounded-cache.ts';

const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Reads the pictures of a request; those of the last requests stay in memory, since every step sends them again. */
export class ShownPictures {
  readonly #database: Database;
  readonly #read = new BoundedCache<Uint8Array>({ maxWeight: MAX_CACHED_BYTES });

  constructor(input: { database: Database }) {
    this.#database = input.database;
  }

  /** The bytes of the pictures these messages send; one that is no longer stored is left out. */
  async of(tenant: TenantId, messages: readonly Message[]): Promise<Map<AttachmentId, Uint8Array>> {
    const shown = new Map<AttachmentId, Uint8Array>();
    for (const { attachmentId } of imagesToSend(messages)) {
      const key = `${tenant}/${attachmentId}`;
      const bytes = this.#read.get(key) ?? (await readAttachment(this.#database, tenant, attachmentId))?.bytes;
      if (!bytes) continue;
      this.#read.set(key, bytes, bytes.length);
      shown.set(attachmentId, bytes);
    }
    return shown;
  }
}
