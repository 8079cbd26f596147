import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { openDatabase, type Database } from '@everturn/core/postgres';
import { stackPaths } from '../../dev/stack/paths.ts';
import { prepareCluster } from '../../dev/prepare-cluster.ts';
import { postgresAccount } from '../../postgres/account.ts';
import { ensureDatabase } from '../../postgres/ensure-database.ts';
import { dataFolderFor } from '../../postgres/reachable-home.ts';
import { startPostgres } from '../../postgres/start-postgres.ts';
import { findCli } from '../../temporal/find-cli.ts';
import { startTemporal } from '../../temporal/start-temporal.ts';
import type { BenchPaths } from './paths.ts';

/** A Postgres and a Temporal of the bench's own, empty at first, with the durability `npm run up` gives them. */
export interface Servers {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly postgresPid: number;
  readonly temporalPid: number;
  readonly client: Client;
  /** How our processes find both. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends both and removes their data. */
  stop(): Promise<void>;
}

const namespace = 'everturn-bench';

/** Starts both servers on an empty scratch folder and prepares them as `npm run up` does. */
export async function startServers({ scratch }: BenchPaths, tell: (text: string) => void): Promise<Servers> {
  const dataFolder = join(scratch, 'pg');
  emptyScratch(scratch, dataFolder);
  const program = await findCli(stackPaths().dataDir, tell);
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dataFolder }),
    startTemporal({ program, database: join(scratch, 'temporal.db'), namespace }),
  ]);
  const databaseUrl = await ensureDatabase(postgres.url, 'everturn');
  const { address } = temporal;
  await prepareCluster({ connection: { address }, namespace, databaseUrl, tell });
  const connection = await Connection.connect({ address });
  const database = openDatabase(databaseUrl, { applicationName: 'everturn-bench' });
  return {
    databaseUrl,
    database,
    postgresPid: postgres.pid,
    temporalPid: temporal.pid,
    client: new Client({ connection, namespace }),
    environment: { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
    async stop() {
      await connection.close();
      await database.destroy();
      await Promise.all([postgres.stop(), temporal.stop()]);
      emptyScratch(scratch, dataFolder);
    },
  };
}

function emptyScratch(scratch: string, dataFolder: string): void {
  // Elsewhere only when root's checkout lies in a folder that Postgres' user cannot enter.
  rmSync(dataFolderFor(dataFolder, postgresAccount()), { recursive: true, force: true });
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  if (process.getuid?.() === 0) chmodSync(scratch, 0o711);
}
