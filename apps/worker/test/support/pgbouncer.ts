import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, spawnProgram } from './spawn-program.ts';

/** A pooler in transaction mode in front of one database. */
export interface PgBouncer {
  /** The same database through the pooler. */
  readonly url: string;
  logs(): string;
  stop(): Promise<void>;
}

interface StartPgBouncerInput {
  file: string;
  databaseUrl: string;
  serverConnections: number;
}

/** Starts PgBouncer with its own defaults wherever the test does not say otherwise. */
export async function startPgBouncer({
  file,
  databaseUrl,
  serverConnections,
}: StartPgBouncerInput): Promise<PgBouncer> {
  const { hostname, port: serverPort, pathname, username, password } = new URL(databaseUrl);
  const database = pathname.slice(1);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'everturn-pgbouncer-'));
  const config = join(folder, 'pgbouncer.ini');
  const target = { host: hostname, port: serverPort, dbname: database, user: username, password };
  writeFileSync(
    config,
    `[databases]
${database} = ${Object.entries(target)
      .map(([name, value]) => `${name}=${decodeURIComponent(value)}`)
      .join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
max_db_connections = ${serverConnections}
`,
    { mode: 0o600 },
  );
  // It refuses to run as root, so it runs as nobody then.
  if (process.getuid?.() === 0) for (const path of [folder, config]) chownSync(path, NOBODY.uid, NOBODY.gid);
  else chmodSync(folder, 0o700);
  const program = await spawnProgram({ file, args: [config], port, as: NOBODY });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    logs: () => program.logs(),
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const NOBODY = { uid: 65_534, gid: 65_534 };
