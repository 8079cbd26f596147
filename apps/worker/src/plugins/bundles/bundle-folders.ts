import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PackedBundle } from '@everturn/core/postgres';
import type { ProcessesPort } from '@everturn/tools/kit';
import { packagesWithScripts } from './install-scripts.ts';
import { ENTRY } from './load-bundle.ts';
import { checkOut } from './check-out.ts';
import type { GitSource, ParsedSpec } from './package-spec.ts';
import { InstallerError } from './run-installer.ts';
import { runNpm } from './run-npm.ts';

const STAGING = '.staging-';
const ARCHIVE = 'package.tgz';
/** Where a repository is checked out before it is packed. */
const SOURCE = 'source';
const MAX_ARCHIVE_BYTES = 50 * 1024 * 1024;
const INSTALL_TIMEOUT_MS = 600_000;
/** Nothing runs by itself, nobody's peers are fetched (ours are linked), and the tree holds what production needs. */
const QUIET = ['--ignore-scripts', '--omit=dev', '--legacy-peer-deps', '--no-bin-links'];

export interface FetchBundleInput {
  /** What it is remembered as. */
  spec: string;
  from: Exclude<ParsedSpec, { kind: 'refused' }>;
  registry?: string;
  approvedBuilds: readonly string[];
  /** What the bundle of this name was approved before. */
  approvedBefore: (name: string) => readonly string[];
  signal: AbortSignal;
}

/** A bundle that lies in its folder, its code not yet loaded. */
export type FetchedBundle = Omit<PackedBundle, 'plugins'>;

/** The folders of bundles on this machine, one per digest; each is complete or not there. */
export class BundleFolders {
  readonly #root: string;
  readonly #processes: Pick<ProcessesPort, 'run'>;

  constructor(input: { root: string; processes: Pick<ProcessesPort, 'run'> }) {
    this.#root = input.root;
    this.#processes = input.processes;
  }

  /** Where a bundle lies. */
  of({ digest }: { digest: string }): string {
    return join(this.#root, digest);
  }

  /** Gets a package, with what it depends on; throws `InstallerError`. */
  async fetch(input: FetchBundleInput): Promise<FetchedBundle> {
    const { spec, from, registry, approvedBuilds, approvedBefore, signal } = input;
    const asked = registry === undefined ? [] : [`--registry=${registry}`];
    return this.#staged(async (staging) => {
      const npm = this.#npm(staging, signal);
      // Else npm takes the settings of the next folder above that has one.
      await writeFile(join(staging, 'package.json'), '{"private":true}');
      const source = from.kind === 'git' ? await this.#checkOut(staging, from.source, signal) : from.spec;
      const { name, version } = await pack(npm, staging, source, asked);
      await this.#describe(staging, name);
      await npm(['install', ...QUIET, ...asked]);
      const lock = await readFile(join(staging, 'package-lock.json'), 'utf8');
      const approved = new Set([...approvedBefore(name), ...approvedBuilds]);
      const scripted = await packagesWithScripts(staging, lock);
      const unknown = approvedBuilds.filter((build) => !scripted.includes(build));
      if (unknown.length > 0)
        throw new InstallerError(`approvedBuilds: ${unknown.join(', ')} has no install script in this bundle`);
      const runs = scripted.filter((build) => approved.has(build));
      await this.#finish(staging, npm, runs);
      const archive = await readFile(join(staging, ARCHIVE));
      const digest = digestOf(archive, lock, runs);
      await this.#place(staging, digest);
      return {
        name,
        version,
        spec,
        ...(registry !== undefined && { registry }),
        digest,
        archive,
        lock,
        approvedBuilds: runs,
        pendingBuilds: scripted.filter((build) => !runs.includes(build)),
      };
    });
  }

  /** Makes the folder of a bundle that was installed elsewhere, or before this machine lost it. */
  async restore(
    bundle: Pick<PackedBundle, 'name' | 'digest' | 'archive' | 'lock' | 'approvedBuilds'>,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#staged(async (staging) => {
      const npm = this.#npm(staging, signal);
      await writeFile(join(staging, ARCHIVE), bundle.archive);
      await this.#describe(staging, bundle.name);
      await writeFile(join(staging, 'package-lock.json'), bundle.lock);
      await npm(['ci', ...QUIET]);
      await this.#finish(staging, npm, bundle.approvedBuilds);
      await this.#place(staging, bundle.digest);
    });
  }

  /** Whether a bundle's folder is there. */
  async has(bundle: { digest: string }): Promise<boolean> {
    return exists(join(this.of(bundle), ENTRY));
  }

  /** Deletes what dead processes left half-made, and bundles nobody has any more. Only while no code of them runs. */
  async sweep(kept: readonly string[]): Promise<void> {
    const found = await readdir(this.#root).catch(() => []);
    const stale = found.filter((name) => name.startsWith(STAGING) || (!name.startsWith('.') && !kept.includes(name)));
    await Promise.all(stale.map((name) => rm(join(this.#root, name), { recursive: true, force: true })));
  }

  #npm(folder: string, signal: AbortSignal): (args: readonly string[]) => Promise<string> {
    const cache = join(this.#root, '.cache');
    return (args) => runNpm({ processes: this.#processes, cache, folder, args, signal, timeoutMs: INSTALL_TIMEOUT_MS });
  }

  async #staged<T>(make: (staging: string) => Promise<T>): Promise<T> {
    const staging = join(this.#root, `${STAGING}${randomUUID()}`);
    await mkdir(staging, { recursive: true, mode: 0o700 });
    try {
      return await make(staging);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  async #checkOut(staging: string, source: GitSource, signal: AbortSignal): Promise<string> {
    await checkOut(source, { processes: this.#processes, folder: join(staging, SOURCE), signal });
    return `./${SOURCE}`;
  }

  async #describe(staging: string, name: string): Promise<void> {
    const manifest = { private: true, type: 'module', dependencies: { [name]: `file:${ARCHIVE}` } };
    await writeFile(join(staging, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(staging, ENTRY), `export { default } from ${JSON.stringify(name)};\n`);
  }

  async #finish(staging: string, npm: (args: readonly string[]) => Promise<string>, runs: readonly string[]) {
    if (runs.length > 0) await npm(['rebuild', '--ignore-scripts=false', '--no-bin-links', ...runs]);
    await linkOwnPackages(join(staging, 'node_modules'));
  }

  async #place(staging: string, digest: string): Promise<void> {
    try {
      await rename(staging, this.of({ digest }));
    } catch (error) {
      // Equal digests mean equal contents, so whoever was first is as good.
      if (!(await this.has({ digest }))) throw error;
    }
  }
}

async function pack(
  npm: (args: readonly string[]) => Promise<string>,
  staging: string,
  spec: string,
  asked: readonly string[],
): Promise<{ name: string; version: string }> {
  const told = await npm(['pack', '--json', '--ignore-scripts', ...asked, '--', spec]);
  const [packed] = JSON.parse(told) as { name: string; version: string; filename: string }[];
  if (!packed) throw new InstallerError('npm pack made no archive');
  const file = (await readdir(staging)).find((name) => name.endsWith('.tgz'));
  if (file === undefined) throw new InstallerError('npm pack made no archive');
  const { size } = await stat(join(staging, file));
  if (size > MAX_ARCHIVE_BYTES)
    throw new InstallerError(`the package is ${size} bytes long, and ${MAX_ARCHIVE_BYTES} are allowed`);
  await rename(join(staging, file), join(staging, ARCHIVE));
  await rm(join(staging, SOURCE), { recursive: true, force: true });
  return packed;
}

/** Plugins import these by name; they are this program's, never the bundle's. */
async function linkOwnPackages(modules: string): Promise<void> {
  const scope = join(modules, '@everturn');
  await rm(scope, { recursive: true, force: true });
  await mkdir(scope, { recursive: true });
  const own = { worker: '@everturn/worker/plugin', tools: '@everturn/tools/kit', core: '@everturn/core/domain' };
  for (const [name, door] of Object.entries(own)) {
    await symlink(await packageRoot(createRequire(import.meta.url).resolve(door)), join(scope, name));
  }
}

async function packageRoot(file: string): Promise<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (await exists(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package holds ${file}`);
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function digestOf(archive: Buffer, lock: string, runs: readonly string[]): string {
  const hash = createHash('sha256').update(archive).update('\0').update(lock).update('\0').update(runs.join('\n'));
  return hash.digest('hex').slice(0, 32);
}
