import { openPermissions, type SandboxMode } from '@everturn/core/domain';
import { readPermissions, readSession } from '@everturn/core/postgres';
import type { OpenPermissions, SessionHeader, SessionOptions } from '@everturn/core/protocol';
import type { SessionRef } from '../contract/index.ts';
import type { Projection } from './projection.ts';

/** What a session's tools may do as its log, its creation and the deployment say, in this order. */
export async function sessionPermissions(
  { database }: Projection,
  ref: SessionRef,
  fallback: SandboxMode,
): Promise<OpenPermissions> {
  const [recorded, row] = await Promise.all([readPermissions(database, ref), readSession(database, ref)]);
  // Validated when they were written, by whoever started the session.
  const { header, options } = (row ?? {}) as unknown as { header?: SessionHeader; options?: SessionOptions };
  const { preset, sandboxMode, approvalPolicy } = options?.permissions ?? {};
  const { permissions, missing } = openPermissions({
    recorded,
    wanted: {
      ...(preset && { preset }),
      ...(sandboxMode && { sandboxMode }),
      ...(approvalPolicy && { approvalPolicy }),
    },
    fallback,
    delegated: header?.origin === 'subagent',
  });
  return { now: permissions, unwritten: missing };
}
