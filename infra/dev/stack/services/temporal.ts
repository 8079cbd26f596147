import { findCli } from '../../../temporal/find-cli.ts';
import { startTemporal } from '../../../temporal/start-temporal.ts';
import { defaultNamespace } from '../../cluster-environment.ts';
import { LogFile } from '../log-file.ts';
import type { Service } from '../service.ts';

const defaultPort = 17_233;
const defaultUiPort = 18_233;

/** The Temporal dev server with its UI, on one SQLite file. */
export const temporal: Service = {
  name: 'temporal',
  async start({ paths, environment, tell, before }) {
    tell('looking for the Temporal CLI');
    const program = await findCli(paths.dataDir, tell);
    tell('starting the dev server');
    const log = new LogFile(paths.logs, 'temporal');
    const server = await startTemporal({
      program,
      database: paths.temporalDatabase,
      namespace: environment['TEMPORAL_NAMESPACE'] ?? defaultNamespace,
      port: portOf(before?.provides['TEMPORAL_ADDRESS']) ?? defaultPort,
      uiPort: portOf(before?.provides['EVERTURN_UI_URL']) ?? defaultUiPort,
      fixedPort: before !== undefined,
      log: (text) => log.write(text),
    });
    return {
      pid: server.pid,
      detail: `${server.address}, UI ${server.uiUrl}`,
      provides: { TEMPORAL_ADDRESS: server.address, EVERTURN_UI_URL: server.uiUrl },
      exited: server.exited,
      stop: () => server.stop(),
    };
  },
};

function portOf(address: string | undefined): number | undefined {
  return address === undefined ? undefined : Number(address.split(':').at(-1));
}
