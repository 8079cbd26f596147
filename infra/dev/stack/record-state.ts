import type { StackPaths } from './paths.ts';
import { writeState } from './state-file.ts';
import type { Supervisor } from './supervisor.ts';

const startedAt = Date.now();

/** Only what others need to reach the stack: the rest of the user's environment is not ours to write down. */
const shared = new Set([
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'EVERTURN_API_KEY',
  'EVERTURN_API_PORT',
  'EVERTURN_API_URL',
  'EVERTURN_DATA_DIR',
  'EVERTURN_SCRIPTED_URL',
  'EVERTURN_UI_URL',
]);

/** Writes what runs now into state.json. */
export function recordState(supervisor: Supervisor, paths: StackPaths, ready: boolean): void {
  const services = supervisor.running.map(({ name, service: { pid, detail } }) => [name, { pid, detail }] as const);
  const environment = Object.entries(supervisor.environment).filter(([name]) => shared.has(name));
  writeState(paths.state, {
    supervisorPid: process.pid,
    startedAt,
    ready,
    services: Object.fromEntries(services),
    environment: Object.fromEntries(environment),
  });
}
