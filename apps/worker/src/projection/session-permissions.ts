import {
  openPermissions,
  type CreationFact,
  type SandboxMode,
  type SessionHeader,
  type SubagentDescriptor,
} from '@everturn/core/domain';
import { readPermissions, readSession } from '@everturn/core/postgres';
import type { Delegation, OpenPermissions, SessionOptions } from '@everturn/core/protocol';
import type { SessionRef } from '../contract/index.ts';
import { sql } from 'kysely';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

/** What a session's tools may do as its log, its creation, its tenant then, and the deployment say, in this order. */
export async function sessionPermissions(
  { database }: Projection,
  ref: SessionRef,
  fallback: SandboxMode,
): Promise<OpenPermissions> {
  const [recorded, row] = await Promise.all([readPermissions(database, ref), readSession(database, ref)]);
  // Validated when they were written, by whoever started the session.
  const header = row?.header;
  const options = row?.options as SessionOptions | undefined;
  const { preset, sandboxMode, approvalPolicy } = options?.permissions ?? {};
  const { permissions, missing } = openPermissions({
    recorded,
    wanted: {
      ...(preset && { preset }),
      ...(sandboxMode && { sandboxMode }),
      ...(approvalPolicy && { approvalPolicy }),
    },
    fallback: row?.defaultPreset ?? fallback,
    delegated: header?.origin === 'subagent',
  });
  const made = await Promise.all([
    missingDescriptor(database, ref, { header, options }),
    missingModelPolicy(database, ref, options),
  ]);
  return { now: permissions, unwritten: [...missing, ...made.flat()] };
}

/** What a child was made as stands in its own first turn, whatever a seed says of others. */
async function missingDescriptor(
  database: Projection['database'],
  { tenant, session }: SessionRef,
  { header, options }: { header: SessionHeader | undefined; options: SessionOptions | undefined },
): Promise<CreationFact[]> {
  const { delegation } = options ?? {};
  if (!delegation) return [];
  const { rows } = await asProjectionError(() =>
    sql<{ found: boolean }>`
      select exists (
        select from session_events
        where tenant = ${tenant} and session_id = ${session} and type = 'subagent/descriptor'
          and seq >= ${header?.seedLength ?? 0}
      ) as found`.execute(database),
  );
  return rows[0]?.found ? [] : [{ type: 'subagent/descriptor', data: descriptorOf(delegation, options ?? {}) }];
}

/** Which models its model may choose from stands in its first turn; a fork has it with its seed. */
async function missingModelPolicy(
  database: Projection['database'],
  { tenant, session }: SessionRef,
  options: SessionOptions | undefined,
): Promise<CreationFact[]> {
  const allowedModels = options?.subagentModels;
  if (!allowedModels) return [];
  const type = 'subagent/model-selection-policy';
  const { rows } = await asProjectionError(() =>
    sql<{ found: boolean }>`
      select exists (
        select from session_events where tenant = ${tenant} and session_id = ${session} and type = ${type}
      ) as found`.execute(database),
  );
  return rows[0]?.found ? [] : [{ type, data: { allowedModels } }];
}

function descriptorOf(
  { mode, provider, label, persona, toolFilter }: Delegation,
  { provider: agentProvider, model, reasoningEffort }: SessionOptions,
): SubagentDescriptor {
  if (mode === 'one-shot') return { version: 2, mode, provider, ...(label !== '' && { label }) };
  return {
    version: 2,
    mode,
    provider,
    label,
    ...(agentProvider !== undefined && { agentProvider }),
    ...(model !== undefined && { agentModel: model }),
    ...(reasoningEffort && { agentReasoningEffort: reasoningEffort }),
    ...(persona !== undefined && { persona }),
    ...(toolFilter && { toolFilter }),
  };
}
