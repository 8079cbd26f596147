import { choosePort } from '../../../process/port.ts';
import { startNodeChild } from '../node-child.ts';
import type { Service } from '../service.ts';

/** The HTTP API, on loopback. */
export const api: Service = {
  name: 'api',
  async start({ paths, environment, before }) {
    const wanted = Number(before?.provides['EVERTURN_API_PORT'] ?? (environment['EVERTURN_API_PORT'] || 18_080));
    const port = String(before ? wanted : await choosePort(wanted));
    const child = await startNodeChild({
      name: 'api',
      entry: 'apps/api/src/main.ts',
      environment: { ...environment, EVERTURN_API_PORT: port },
      logs: paths.logs,
      graceMs: 15_000,
    });
    const url = `http://127.0.0.1:${port}`;
    return { ...child, detail: url, provides: { EVERTURN_API_PORT: port, EVERTURN_API_URL: url } };
  },
};
