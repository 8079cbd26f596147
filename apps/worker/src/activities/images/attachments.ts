import type { TenantId } from '@everturn/core/domain';
import { putAttachment, type Database } from '@everturn/core/postgres';
import type { AttachmentsPort, ImageSettings } from '@everturn/tools/kit';
import { admitImage } from '@everturn/tools/world';

export interface TenantAttachmentsInput {
  database: Database;
  tenant: TenantId;
  limits: ImageSettings;
}

/** Where the pictures of one tenant's sessions are kept: beside the logs that refer to them. */
export function tenantAttachments({ database, tenant, limits }: TenantAttachmentsInput): AttachmentsPort {
  const admit: AttachmentsPort['admit'] = (bytes, mediaType) => admitImage({ bytes, mediaType, limits });
  const store: AttachmentsPort['store'] = (image) => putAttachment(database, tenant, image);
  return { admit, store, save: async (bytes, mediaType) => store(await admit(bytes, mediaType)) };
}
