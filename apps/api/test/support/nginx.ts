import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, spawnProgram } from '../../../worker/test/support/spawn-program.ts';

/** A proxy as people put it before an API: HTTP/1.0 or 1.1 to it, buffering and compressing what comes back. */
export interface Nginx {
  /** Speaks HTTP/1.0 to the API, which is nginx's default. */
  readonly plainUrl: string;
  /** Speaks HTTP/1.1 to it. */
  readonly currentUrl: string;
  logs(): string;
  stop(): Promise<void>;
}

/** Starts nginx before an API on loopback; whoever is silent for ten seconds is cut off. */
export async function startNginx(input: { file: string; apiPort: number }): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'everturn-nginx-'));
  mkdirSync(join(folder, 'temp'));
  const ports = [await freePort(), await freePort()] as const;
  const config = join(folder, 'nginx.conf');
  writeFileSync(config, configuration({ folder, ports, apiPort: input.apiPort }));
  const args = ['-p', folder, '-c', config, '-e', 'stderr'];
  const program = await spawnProgram({ file: input.file, args, port: ports[0] });
  return {
    plainUrl: `http://127.0.0.1:${ports[0]}`,
    currentUrl: `http://127.0.0.1:${ports[1]}`,
    logs: () => program.logs(),
    stop: async () => {
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(input: { folder: string; ports: readonly [number, number]; apiPort: number }): string {
  const server = (port: number, more: string) => `
    server {
      listen 127.0.0.1:${port};
      location / { proxy_pass http://127.0.0.1:${input.apiPort}; ${more} }
    }`;
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
  daemon off;
  master_process off;
  pid ${join(input.folder, 'nginx.pid')};
  error_log stderr warn;
  events {}
  http {
    access_log off;
    ${folders.map((name) => `${name}_temp_path ${join(input.folder, 'temp', name)};`).join('\n    ')}
    gzip on;
    gzip_types *;
    gzip_proxied any;
    gzip_min_length 0;
    proxy_buffering on;
    proxy_read_timeout 10s;
    ${server(input.ports[0], '')}
    ${server(input.ports[1], `proxy_http_version 1.1; proxy_set_header Connection "";`)}
  }`;
}
