/** Prepares a real cluster: `npm run bootstrap` with the variables below. */
import { clusterFromEnvironment } from './cluster-environment.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { runCommand } from './run-command.ts';

const help = `usage: npm run bootstrap

Creates the namespace (retention 30 days), registers the search attributes as far as the cluster allows,
and migrates the database. Safe to repeat.

Before a new version migrates a database, end its APIs and workers: all migrations are one transaction, which
holds them up for as long as it counts and indexes what is stored. There is no way back but a backup.

  TEMPORAL_ADDRESS    host:port, default 127.0.0.1:7233
  TEMPORAL_NAMESPACE  default everturn
  TEMPORAL_API_KEY    for Temporal Cloud; turns TLS on
  TEMPORAL_TLS        on or off
  TEMPORAL_TLS_…      certificates: see the README
  DATABASE_URL        postgres://…; without it the database is left alone`;

await runCommand(help, async () => {
  const tell = (text: string) => void process.stdout.write(`${text}\n`);
  await prepareCluster({ ...clusterFromEnvironment(process.env), databaseUrl: process.env['DATABASE_URL'], tell });
  return 0;
});
