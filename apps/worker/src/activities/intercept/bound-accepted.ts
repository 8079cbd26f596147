import type { ContentBlock } from '@everturn/core/domain';
import { readSession } from '@everturn/core/postgres';
import { boundResult } from '@everturn/tools/kit';
import type { InterceptInput } from '../../contract/index.ts';
import type { PointInput } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/**
 * An accepted result, bounded like one that no listener saw: listeners judge the whole, the log and the model get its
 * two ends. Answers the content where it differs from what the body gave, so that nothing is sent twice.
 */
export async function boundAccepted(
  deps: ActivityDeps,
  ask: InterceptInput,
  { call, result }: PointInput<'tools/post-execute'>,
  replaced: ContentBlock[] | undefined,
): Promise<ContentBlock[] | undefined> {
  const content = replaced ?? result.content;
  const { maxInlineBytes } = deps.settings;
  if (maxInlineBytes === undefined || !(await isHere(deps, ask))) return replaced;
  const bounded = await boundResult({
    tool: call.name,
    result: { ...result, content },
    session: ask.session,
    spill: deps.ports.spill,
    maxInlineBytes,
    warn: (message, cause) => deps.log.warn({ err: cause, session: ask.session }, message),
  });
  return bounded.content === content ? replaced : bounded.content;
}

/** A spilled text is of use only where the session's tools can read it. */
export async function isHere(
  { database, machine }: ActivityDeps,
  { tenant, session }: Pick<InterceptInput, 'tenant' | 'session'>,
): Promise<boolean> {
  const row = await readSession(database, { tenant, session });
  return row?.host === undefined || row.host.id === machine?.host.id;
}
