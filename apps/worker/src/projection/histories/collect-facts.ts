import type { WorkflowClient } from '@temporalio/client';
import type { SessionRef } from '../../contract/index.ts';
import { getBlob } from '../blobs.ts';
import type { Projection } from '../projection.ts';
import { HistoryFacts } from './history-facts.ts';
import { readHistory } from './read-history.ts';
import { walkHistories } from './walk-histories.ts';
import type { WalkResult } from './walk-histories.ts';

/** Where histories are. */
export interface HistorySource {
  /** With the converter that the workers have. */
  client: WorkflowClient;
}

export interface CollectInput extends Pick<SessionRef, 'tenant' | 'session'> {
  /** Turns up to this one are sealed: their histories are not asked for. */
  sealedTurn?: number;
  /** Called between histories, to beat. */
  progress?: () => void;
}

/** Everything the server's histories of a session say about its log. */
export async function collectFacts(
  projection: Projection,
  { client }: HistorySource,
  { tenant, session, sealedTurn = 0, progress }: CollectInput,
): Promise<WalkResult & { facts: HistoryFacts }> {
  const facts = new HistoryFacts();
  const { runs } = await walkHistories({
    client,
    session,
    wanted: ({ turn }) => turn === undefined || turn > sealedTurn,
    visit: async (history) => {
      progress?.();
      await readHistory({ history, facts, converter: client.options.loadedDataConverter });
    },
  });
  for (const { member, reference } of facts.deferred) {
    facts.takeDeferred(member, await getBlob(projection, tenant, reference));
  }
  return { facts, runs };
}
