import { isBlobRef, REF_MEMBERS } from '@everturn/core/domain';
import type { AuthoredEvent, BlobRef, JsonValue, MaybeRef, TenantId } from '@everturn/core/domain';
import { putBlob as store, readBlob } from '@everturn/core/postgres';
import { asProjectionError, ProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

/** Stores a value for its tenant and answers its reference; storing it again changes nothing. */
export async function putBlob(projection: Projection, tenant: TenantId, value: unknown): Promise<BlobRef> {
  return asProjectionError(() => store(projection.database, tenant, value));
}

/** The value a reference stands for; throws `BLOB_MISSING`. */
export async function getBlob(projection: Projection, tenant: TenantId, reference: BlobRef): Promise<JsonValue> {
  const value = await asProjectionError(() => readBlob(projection.database, tenant, reference.$blob));
  if (value === undefined) throw new ProjectionError('BLOB_MISSING', `blob ${reference.$blob} does not exist`);
  return value;
}

/** A value, fetched if it travelled as a reference; throws `BLOB_MISSING`. */
export async function resolveRef<T>(projection: Projection, tenant: TenantId, value: MaybeRef<T>): Promise<T> {
  return isBlobRef(value) ? ((await getBlob(projection, tenant, value)) as T) : value;
}

/** An event's data with every reference replaced by its value; throws `BLOB_MISSING`. */
export async function inflate(
  projection: Projection,
  tenant: TenantId,
  data: AuthoredEvent['data'],
): Promise<Record<string, JsonValue>> {
  // JSON, which the compiler cannot know of events' interfaces.
  const whole = { ...data } as unknown as Record<string, JsonValue>;
  for (const member of REF_MEMBERS) {
    const value = whole[member];
    if (isBlobRef(value)) whole[member] = await getBlob(projection, tenant, value);
  }
  return whole;
}
