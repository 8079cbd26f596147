/**
 * One real server in the foreground, for tests and for looking at it alone.
 * Prints one JSON line when ready; ends with the server, and ends the server when signalled.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../postgres/start-postgres.ts';
import { InfraError } from '../process/infra-error.ts';
import { findCli } from '../temporal/find-cli.ts';
import { startTemporal } from '../temporal/start-temporal.ts';
import { runCommand } from './run-command.ts';

const help = `usage: serve postgres --data-dir D [--port P] [--fast]
       serve temporal --data-dir D [--port P] [--ui-port P] [--namespace N] [--dynamic NAME=JSON]

  --port P  exactly this port, so that a restarted server is found again; without it any free one
  --fast    Postgres without fsync: survives kill -9, not a power cut
  --dynamic one more value of the server's dynamic config`;

interface Served {
  readonly ready: Record<string, unknown>;
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

await runCommand(help, async (argv) => {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string' },
      port: { type: 'string' },
      'ui-port': { type: 'string' },
      namespace: { type: 'string', default: 'everturn' },
      fast: { type: 'boolean', default: false },
      dynamic: { type: 'string', multiple: true, default: [] },
    },
  });
  const dataDir = values['data-dir'];
  if (dataDir === undefined) throw new InfraError('INFRA_BAD_ARGUMENT', 'serve needs --data-dir', help);
  mkdirSync(dataDir, { recursive: true });
  const ports = {
    ...numbered('port', values.port),
    ...numbered('uiPort', values['ui-port']),
    fixedPort: values.port !== undefined,
  };
  const log = (text: string) => void process.stderr.write(text);
  const tell = (text: string) => log(`${text}\n`);

  let served: Served;
  if (positionals[0] === 'postgres') {
    const server = await startPostgres({ dataFolder: join(resolve(dataDir), 'pg'), ...ports, fast: values.fast, log });
    served = { ...server, ready: { url: server.url, pid: server.pid, port: server.port } };
  } else if (positionals[0] === 'temporal') {
    const program = await findCli(resolve(dataDir), tell);
    const server = await startTemporal({
      program,
      database: join(resolve(dataDir), 'temporal.db'),
      namespace: values.namespace,
      ...ports,
      dynamicConfig: values.dynamic,
      log,
    });
    const { address, uiUrl, pid, port, uiPort } = server;
    served = { ...server, ready: { address, uiUrl, pid, port, uiPort, namespace: values.namespace } };
  } else {
    throw new InfraError('INFRA_BAD_ARGUMENT', `serve what? Not "${positionals[0] ?? ''}"`, help);
  }
  return untilOver(served);
});

async function untilOver({ ready, exited, stop }: Served): Promise<number> {
  let stopping = false;
  const finish = () => {
    stopping = true;
    void stop();
  };
  process.once('SIGINT', finish).once('SIGTERM', finish);
  process.stdout.write(`${JSON.stringify({ ready: true, ...ready })}\n`);
  await exited;
  return stopping ? 0 : 1;
}

function numbered<K extends string>(name: K, text: string | undefined): { [P in K]?: number } {
  return (text === undefined ? {} : { [name]: Number(text) }) as { [P in K]?: number };
}
