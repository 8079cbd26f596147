import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder, without a trailing slash. */
export const workspaceRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Where a stack keeps everything that survives it. */
export interface StackPaths {
  readonly dataDir: string;
  readonly postgres: string;
  readonly temporalDatabase: string;
  readonly logs: string;
  readonly workspaces: string;
  readonly state: string;
  readonly pidFile: string;
  readonly apiKey: string;
  readonly secretsKey: string;
}

/** The paths of this checkout's stack: `.everturn/`, or EVERTURN_DATA_DIR. */
export function stackPaths(env: NodeJS.ProcessEnv = process.env): StackPaths {
  const dataDir = resolve(workspaceRoot, env['EVERTURN_DATA_DIR'] || '.everturn');
  return {
    dataDir,
    postgres: join(dataDir, 'pg'),
    temporalDatabase: join(dataDir, 'temporal.db'),
    logs: join(dataDir, 'logs'),
    workspaces: join(dataDir, 'workspaces'),
    state: join(dataDir, 'state.json'),
    pidFile: join(dataDir, 'up.pid'),
    apiKey: join(dataDir, 'api-key'),
    secretsKey: join(dataDir, 'secrets-key'),
  };
}
