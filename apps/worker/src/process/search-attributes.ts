import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { describeFailure } from '../activities/failure.ts';

/** Every search attribute workflows write. */
const NAMES = [
  'EverturnSession',
  'EverturnParent',
  'EverturnTenant',
  'EverturnStatus',
  'EverturnModel',
  'EverturnTool',
  'EverturnTokens',
] as const;

export interface SearchAttributesInput {
  connection: NativeConnection;
  namespace: string;
  log: Logger;
}

/**
 * Whether the namespace knows our search attributes. A server refuses workflow tasks that write unknown ones, so
 * workflows write them only where this is true; registering them is the bootstrap's task, and never a condition to run.
 */
export async function hasSearchAttributes({ connection, namespace, log }: SearchAttributesInput): Promise<boolean> {
  try {
    const known = await connection.operatorService.listSearchAttributes({ namespace });
    const missing = NAMES.filter((name) => !(name in (known.customAttributes ?? {})));
    if (missing.length === 0) return true;
    log.warn({ missing }, 'search attributes are not registered and will not be written; run `npm run bootstrap`');
    return false;
  } catch (error) {
    log.warn({ reason: describeFailure(error) }, 'search attributes cannot be listed and will not be written');
    return false;
  }
}
