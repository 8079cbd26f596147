import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDatabase, prepareNamespace } from './prepare.ts';
import { type SpawnedProcess, spawnProcess } from './spawn-process.ts';

/** Which real server. */
export type ServerKind = 'postgres' | 'temporal';

/** A real Postgres or Temporal of the test's own, to be killed and started again on the same port and data. */
export interface TestServer {
  /** The server process itself, not its launcher; changes with every start. */
  readonly pid: number;
  /** Postgres: the connection URL. Temporal: host:port. The same after a restart. */
  readonly url: string;
  /** Temporal: the namespace that is ready to use. */
  readonly namespace: string;
  /** Temporal: where its web UI is; undefined for Postgres. */
  readonly uiUrl: string | undefined;
  /** kill -9 of the server; returns when it is gone. */
  kill9(): Promise<void>;
  /** Starts it again; returns when it accepts connections. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  drop(): Promise<void>;
}

/** How to start it. */
export interface StartServerOptions {
  /** Postgres without fsync (default): survives kill -9, which is all a test can do. */
  readonly fast?: boolean;
  /** Migrate the database, register namespace and search attributes. Default true. */
  readonly prepared?: boolean;
  /** Temporal: more values of its dynamic config, `name=JSON`. */
  readonly dynamicConfig?: readonly string[];
}

/** Starts a server for a crash test; use the shared ones (`testDatabase`, `testTemporal`) for everything else. */
export async function startServer(
  kind: ServerKind,
  { fast = true, prepared = true, dynamicConfig = [] }: StartServerOptions = {},
): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), `everturn-${kind}-`));
  // Postgres runs as another user when the tests run as root, and must get in.
  chmodSync(dataDir, 0o755);
  const flags = [
    ...(kind === 'postgres' && fast ? ['--fast'] : []),
    ...dynamicConfig.flatMap((value) => ['--dynamic', value]),
  ];
  const serve = (ports: string[]) =>
    spawnProcess(
      'infra/dev/serve.ts',
      {},
      { args: [kind, '--data-dir', dataDir, ...flags, ...ports], readyTimeoutMs: 120_000 },
    );

  let launcher = await serve([]);
  const url = String(launcher.ready['url'] ?? launcher.ready['address']);
  const samePorts = ['--port', String(launcher.ready['port']), ...uiPort(launcher)];
  if (prepared) await (kind === 'postgres' ? prepareDatabase(url) : prepareNamespace(url, 'everturn'));

  return {
    url,
    namespace: 'everturn',
    uiUrl: launcher.ready['uiUrl'] as string | undefined,
    get pid() {
      return Number(launcher.ready['pid']);
    },
    async kill9() {
      process.kill(Number(launcher.ready['pid']), 'SIGKILL');
      await launcher.exited;
    },
    async start() {
      launcher = await serve(samePorts);
    },
    async drop() {
      await launcher.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function uiPort({ ready }: SpawnedProcess): string[] {
  return typeof ready['uiPort'] === 'number' ? ['--ui-port', String(ready['uiPort'])] : [];
}
