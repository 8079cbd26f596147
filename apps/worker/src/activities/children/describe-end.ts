import {
  childDiagnostic,
  childStop,
  MAX_DIAGNOSTIC_BYTES,
  settlementLine,
  settlementNotice,
  type MessageEntry,
  type RequestId,
} from '@everturn/core/domain';
import { inlineOrStore } from '@everturn/core/postgres';
import { utf8Head } from '@everturn/tools/kit';
import type { DescribeEndInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { INLINE_CONTENT_BYTES } from './inline-content.ts';
import { readEnd } from './read-end.ts';

/** How an agent that stays with another has ended, as its owner's model is to read it. */
export async function describeEnd(
  { database }: ActivityDeps,
  { tenant, session: child, generation, epoch }: DescribeEndInput,
): Promise<{ notice: MessageEntry }> {
  const { reason, words } = await readEnd(database, { tenant, child });
  const stop = childStop(reason, { mode: 'continuable', cancelled: true });
  const known = childDiagnostic(reason);
  const diagnostic = known === undefined ? undefined : utf8Head(known, MAX_DIAGNOSTIC_BYTES);
  const content = settlementNotice({ child, stop, diagnostic, words });
  const summary = settlementLine(child, stop);
  return {
    notice: {
      requestId: `settled.${child}.${generation}.${epoch}` as RequestId,
      kind: 'prompt',
      content: await inlineOrStore(database, tenant, content, INLINE_CONTENT_BYTES),
      source: { kind: 'subagent-settled', form: 'notice', summary, senderSessionId: child },
      preview: summary,
    },
  };
}
