import { access, constants, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Settings } from '../platform/settings.ts';
import { fail, info, ok, warn, type Finding } from './finding.ts';

const GIGABYTE = 1e9;
const PORTS = { Postgres: 15_432, Temporal: 17_233, 'Temporal UI': 18_233, API: 18_080 } as const;

/** Data folder, room on its disk, and the ports a dev stack asks for first. */
export async function checkMachine(settings: Settings): Promise<Finding[]> {
  return [await dataFolder(settings.dataDir), await disk(settings.dataDir), await ports(settings)];
}

async function dataFolder(dataDir: string): Promise<Finding> {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    return ok('Data folder', `${dataDir} is writable`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail('Data folder', reason, 'make it writable, or name another with EVERTURN_DATA_DIR');
  }
}

async function disk(dataDir: string): Promise<Finding> {
  const folder = await access(dataDir, constants.R_OK).then(
    () => dataDir,
    () => dirname(dataDir),
  );
  const { bavail, bsize } = await statfs(folder);
  const free = (bavail * bsize) / GIGABYTE;
  const detail = `${free.toFixed(1)} GB free where ${dataDir} lies`;
  if (free < 0.2) return fail('Disk', detail, 'free some: databases stop when it is full');
  return free < 2 ? warn('Disk', detail, 'free some: logs and histories grow') : ok('Disk', detail);
}

async function ports(settings: Settings): Promise<Finding> {
  const ours = [settings.database?.url.reveal(), settings.temporal?.address, settings.temporal?.uiUrl, settings.apiUrl];
  const states = await Promise.all(
    Object.entries(PORTS).map(async ([name, port]) => {
      if (await isFree(port)) return `${port} (${name}) free`;
      return `${port} (${name}) ${ours.some((url) => url?.includes(`:${port}`)) ? 'ours' : 'taken'}`;
    }),
  );
  const detail = states.join(', ');
  return states.some((state) => state.endsWith('taken'))
    ? info('Ports', `${detail}; \`npm run up\` takes another where one is taken`)
    : ok('Ports', detail);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
