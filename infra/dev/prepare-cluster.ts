import type { ConnectionOptions } from '@temporalio/client';
import { prepareNamespace } from '../temporal/prepare-namespace.ts';

/** What must be prepared; without a database URL only the namespace is. */
export interface PrepareClusterInput {
  readonly connection: ConnectionOptions;
  readonly namespace: string;
  readonly databaseUrl: string | undefined;
  readonly tell: (text: string) => void;
}

/** How long closed histories stay readable; a cluster with longer retention keeps it. */
const retentionDays = 30;

/**
 * Makes a Temporal cluster and a database ready for Everturn; safe to repeat.
 * The one code path behind `npm run up`, the tests and `npm run bootstrap`.
 */
export async function prepareCluster({ connection, namespace, databaseUrl, tell }: PrepareClusterInput): Promise<void> {
  if (databaseUrl !== undefined) {
    const { migrate } = await import('@everturn/core/postgres');
    const { applied } = await migrate(databaseUrl, {
      onHeldUp: (hosts) =>
        tell(
          `database: about to change while workers run or did until just now (${hosts.join(', ')}); they and the API wait until it is done\n  → on a large database end them first, and start only this version`,
        ),
    });
    tell(applied.length === 0 ? 'database: up to date' : `database: applied ${applied.join(', ')}`);
  }
  const { created, searchAttributesAdded, warnings } = await prepareNamespace({ connection, namespace, retentionDays });
  tell(`namespace ${namespace}: ${created ? 'created' : 'exists'}`);
  if (searchAttributesAdded.length > 0) tell(`search attributes: added ${searchAttributesAdded.join(', ')}`);
  for (const warning of warnings) tell(`not needed to run, but missing: ${warning}`);
}
