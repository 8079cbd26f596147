import { ApplicationFailure } from '@temporalio/common';
import {
  INLINE_LIMIT_BYTES,
  isBlobRef,
  snapshotJson,
  type BlobRef,
  type MaybeRef,
  type TenantId,
} from '@everturn/core/domain';
import { inlineOrStore, putBlob, readBlob, type Database } from '@everturn/core/postgres';
import { BoundedCache } from './bounded-cache.ts';

const MAX_CACHED_BYTES = 32 * 1024 * 1024;

/** Values that travel by reference: written and read here, and nowhere in workflow code. */
export class Values {
  readonly #database: Database;
  readonly #read = new BoundedCache<unknown>({ maxWeight: MAX_CACHED_BYTES });

  constructor(input: { database: Database }) {
    this.#database = input.database;
  }

  /** The value itself; throws `BLOB_MISSING`, which no retry mends, when it is gone. */
  async resolve<T>(tenant: TenantId, value: MaybeRef<T>): Promise<T> {
    if (!isBlobRef(value)) return value;
    const key = `${tenant}/${value.$blob}`;
    const known = this.#read.get(key);
    if (known !== undefined) return known as T;
    const read = await readBlob(this.#database, tenant, value.$blob);
    if (read === undefined) {
      const message = `the stored value ${value.$blob} (${value.bytes} bytes) does not exist; restore table blobs`;
      throw ApplicationFailure.nonRetryable(message, 'BLOB_MISSING');
    }
    const frozen = snapshotJson(read);
    this.#read.set(key, frozen, value.bytes);
    return frozen as T;
  }

  /** The value, or its reference when it is too large to travel. */
  async travel<T>(tenant: TenantId, value: T): Promise<MaybeRef<T>> {
    return inlineOrStore(this.#database, tenant, value, INLINE_LIMIT_BYTES);
  }

  /** Stores a value whatever its size. */
  async store(tenant: TenantId, value: unknown): Promise<BlobRef> {
    const reference = await putBlob(this.#database, tenant, value);
    this.#read.set(`${tenant}/${reference.$blob}`, snapshotJson(value), reference.bytes);
    return reference;
  }
}
