import { migrate } from '../postgres/migrate.ts';
import { runScript } from './run-script.ts';

/** Registers a namespace with its search attributes, through the same command a real cluster is prepared with. */
export async function prepareNamespace(address: string, namespace: string): Promise<void> {
  const noCloud = { TEMPORAL_API_KEY: undefined, TEMPORAL_TLS: undefined, DATABASE_URL: undefined };
  await runScript('infra/dev/bootstrap.ts', { ...noCloud, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });
}

/** Brings a database to the newest schema; answers at once when it is there. */
export async function prepareDatabase(url: string): Promise<void> {
  await migrate(url);
}
