import { randomUUID } from 'node:crypto';
import type { EpochHeader } from '@everturn/core/domain';
import { startSessionRow } from '@everturn/core/postgres';
import { defineTool } from '@everturn/tools/kit';
import type { Offer, SessionRef } from '../../contract/index.ts';
import { openLog } from '../../projection/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { assembleActivity } from '../assemble.ts';
import { projection } from './servers.ts';
import { attempt } from './test-process.ts';

/** A tool that says of itself what it is. */
export const tool = (name: string, toolset?: string) => ({
  definition: defineTool({
    name,
    ...(toolset !== undefined && { toolset }),
    description: toolset === undefined ? `does ${name}` : `does ${name} for ${toolset}`,
    parameters: { type: 'object', properties: {} },
    home: 'host',
    effect: 'at-most-once',
    timeoutMs: 1_000,
    promptSection: { name: `tool:${name}`, order: 100, text: `Use ${name} in {{cwd}}.` },
  }),
});

/** A session that was created with these options, `null`: without a workspace. */
export async function session(
  options: object,
  tenant = 'acme',
  cwd: string | null = '/work/space',
): Promise<SessionRef> {
  // Tests name tenants and sessions by plain text.
  const key = { tenant, session: `assembled-${randomUUID()}` } as unknown as Omit<SessionRef, 'generation'>;
  const header = { version: 0, id: key.session, createdAt: 1, ...(cwd !== null && { cwd }) };
  await startSessionRow(projection.database, { ...key, header, options });
  await openLog(projection, { ...key, intent: 'open', runId: 'run' });
  return { ...key, generation: 1 };
}

/** Assembles once, and reads what was stored. */
export async function assemble(deps: ActivityDeps, ref: SessionRef, more: object = {}) {
  const input = { ...ref, commit: { events: [], highestAcknowledged: -1 }, ...more };
  const result = await attempt(assembleActivity(deps), input).result;
  if (result.kind !== 'assembled') return { result };
  const { header, offer } = result.assembly;
  return {
    result,
    header: await deps.values.resolve<EpochHeader>(ref.tenant, header),
    offer: offer && (await deps.values.resolve<Offer>(ref.tenant, offer)),
  };
}
