import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantId } from '@everturn/core/domain';
import { createApiKey } from '@everturn/core/postgres';
import type { ScriptedModel } from '@everturn/core/testing';
import { ApiClient } from './api-client.ts';
import { keptPlatform } from './kept-platform.ts';
import { startPlatform, type Platform, type PlatformOptions } from './platform.ts';

export type StackOptions = PlatformOptions;

/** The whole product as it runs in production: real servers, one worker and one API process, a scripted model. */
export interface Stack extends Omit<Platform, 'model' | 'renew' | 'apiUrl'> {
  readonly api: ApiClient;
  readonly model: ScriptedModel;
  /** An allowed workspace folder, empty at first. */
  readonly workspace: string;
  /** The tenant of the API's key. */
  readonly tenant: TenantId;
}

/**
 * Starts everything, and `stop` ends it. What nothing distinguishes goes on with what an earlier file of this process
 * left running, under a tenant, a workspace and a model of its own; a test may kill it, but not leave it different.
 */
export async function startStack(options?: StackOptions): Promise<Stack> {
  const platform = options ? await startPlatform(options) : await keptPlatform();
  const tenant = `test-${randomBytes(4).toString('hex')}` as TenantId;
  const workspace = join(platform.dataDir, 'workspaces', tenant);
  mkdirSync(workspace);
  const { secret } = await createApiKey(platform.database, { tenant });
  return {
    ...platform,
    api: new ApiClient(platform.apiUrl, secret),
    model: platform.model(),
    workspace,
    tenant,
    stop: options ? platform.stop : async () => {},
  };
}
