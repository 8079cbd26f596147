import { ensureDatabase } from '../../../postgres/ensure-database.ts';
import { startPostgres } from '../../../postgres/start-postgres.ts';
import { LogFile } from '../log-file.ts';
import type { Service } from '../service.ts';

const defaultPort = 15_432;
const database = 'everturn';

/** PostgreSQL from the npm package, on loopback. */
export const postgres: Service = {
  name: 'postgres',
  async start({ paths, tell, before }) {
    tell('starting the server (the first start creates a cluster)');
    const log = new LogFile(paths.logs, 'postgres');
    const again = before?.provides['DATABASE_URL'];
    const server = await startPostgres({
      dataFolder: paths.postgres,
      port: again ? Number(new URL(again).port) : defaultPort,
      fixedPort: again !== undefined,
      log: (text) => log.write(text),
    });
    const url = await ensureDatabase(server.url, database);
    const where = server.dataFolder === paths.postgres ? '' : `, data in ${server.dataFolder}`;
    return {
      pid: server.pid,
      detail: `127.0.0.1:${server.port}/${database}${where}${server.adopted ? ' (was running)' : ''}`,
      provides: { DATABASE_URL: url },
      exited: server.exited,
      stop: () => server.stop(),
    };
  },
};
