import {
  childStop,
  settlementLine,
  settlementNotice,
  type ChildStop,
  type MessageEntry,
  type RequestId,
} from '@everturn/core/domain';
import { inlineOrStore } from '@everturn/core/postgres';
import type { DescribeEndInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { diagnosticOf } from './diagnostic-of.ts';
import { INLINE_CONTENT_BYTES } from './inline-content.ts';
import { readEnd } from './read-end.ts';

/** How an agent that stays with another has ended, as its owner's model is to read it. */
export async function describeEnd(
  { database }: ActivityDeps,
  { tenant, session: child, generation, epoch }: DescribeEndInput,
): Promise<{ notice: MessageEntry; stop: ChildStop }> {
  const { reason, words } = await readEnd(database, { tenant, child });
  const stop = childStop(reason, { mode: 'continuable', cancelled: true });
  const content = settlementNotice({ child, stop, diagnostic: diagnosticOf(reason), words });
  const summary = settlementLine(child, stop);
  return {
    stop,
    notice: {
      requestId: `settled.${child}.${generation}.${epoch}` as RequestId,
      kind: 'prompt',
      content: await inlineOrStore(database, tenant, content, INLINE_CONTENT_BYTES),
      source: { kind: 'subagent-settled', form: 'notice', summary, senderSessionId: child },
      preview: summary,
    },
  };
}
