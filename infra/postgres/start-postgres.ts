import { resolve } from 'node:path';
import { isInfraError } from '../process/infra-error.ts';
import { choosePort } from '../process/port.ts';
import { postgresAccount } from './account.ts';
import { postgresBinaries } from './binaries.ts';
import { createCluster } from './create-cluster.ts';
import { previousServer } from './previous-server.ts';
import { reachableBinaries, reachableDataFolder } from './reachable-home.ts';
import { adoptServer, launchServer, type PostgresServer } from './server.ts';

/** How to start the embedded Postgres. */
export interface StartPostgresInput {
  readonly dataFolder: string;
  /** Wanted port; another one is taken when it is busy, unless `fixedPort`. */
  readonly port?: number;
  /** Fail rather than move: a restarted server must be found where it was. */
  readonly fixedPort?: boolean;
  /** No fsync: survives `kill -9` of the server, not a power cut. For tests. */
  readonly fast?: boolean;
  readonly log?: (text: string) => void;
}

/** Starts the embedded Postgres on a data folder, or adopts the one that already serves it. */
export async function startPostgres(input: StartPostgresInput): Promise<PostgresServer> {
  const account = postgresAccount();
  const binaries = reachableBinaries(postgresBinaries(), account);
  const dataFolder = reachableDataFolder(input.dataFolder, account);
  const passwordFile = `${resolve(input.dataFolder)}.password`;
  const previous = await previousServer(dataFolder);
  const password = await createCluster({ binaries, dataFolder, passwordFile, account });
  if (previous) return adoptServer({ ...previous, dataFolder, password });

  let port = input.fixedPort && input.port !== undefined ? input.port : await choosePort(input.port);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launchServer({
        binaries,
        dataFolder,
        account,
        password,
        port,
        fast: input.fast ?? false,
        log: input.log ?? (() => {}),
      });
    } catch (error) {
      if (!isInfraError(error, 'INFRA_PORT_TAKEN') || input.fixedPort || attempt === 5) throw error;
      port = await choosePort();
    }
  }
}
