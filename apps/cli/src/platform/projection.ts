import { randomUUID } from 'node:crypto';
import type { SessionId, TenantId } from '@everturn/core/domain';
import type { Database } from '@everturn/core/postgres';
import type { HistorySource, Projection } from '@everturn/worker/projection';
import { Screen } from '../terminal/screen.ts';
import { styleFor } from '../terminal/style.ts';
import { CliError } from './cli-error.ts';
import { withDatabase } from './database.ts';
import type { Settings } from './settings.ts';
import { withTemporal } from './temporal.ts';

/** One session's stored log and its histories, side by side. */
export interface LogAccess {
  projection: Projection;
  source: HistorySource;
  tenant: TenantId;
  /** To be called between histories: shows on stderr that it goes on. */
  progress: () => void;
}

/** Runs work on a log and its histories directly; throws `CLI_REFUSED` for a session that no tenant has. */
export async function withLog<T>(
  settings: Settings,
  session: SessionId,
  work: (access: LogAccess) => Promise<T>,
): Promise<T> {
  const { openProjection } = await import('@everturn/worker/projection');
  const { WorkflowClient } = await import('@temporalio/client');
  const { payloadStore } = await import('@everturn/core/postgres');
  const { guardedConverter } = await import('@everturn/core/protocol');
  const screen = new Screen({ sink: process.stderr, style: styleFor(process.stderr) });
  try {
    return await withDatabase(settings, (database) =>
      withTemporal(settings, async ({ connection, config }) => {
        const tenant = await tenantOf(database, session);
        const projection = openProjection({ database, owner: `cli-${randomUUID()}` });
        const dataConverter = guardedConverter(payloadStore(database));
        const client = new WorkflowClient({ connection, namespace: config.namespace, dataConverter });
        let read = 0;
        const progress = () => screen.waitFor(`histories read: ${(read += 1)}`);
        screen.waitFor('the histories');
        try {
          return await work({ projection, source: { client }, tenant, progress });
        } finally {
          await projection.notifier.flushed();
        }
      }),
    );
  } finally {
    screen.close();
  }
}

/** Session ids are unique across tenants, and whoever may open the database may see whose a session is. */
async function tenantOf(database: Database, session: SessionId): Promise<TenantId> {
  const row = await database.selectFrom('sessions').select('tenant').where('id', '=', session).executeTakeFirst();
  if (row) return row.tenant as TenantId;
  throw new CliError({
    code: 'CLI_REFUSED',
    what: `there is no session ${session} in this database`,
    remedy: 'see `everturn sessions`; after a restore bring its row in table sessions back first',
  });
}
