import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorChain } from '@everturn/core/domain';
import type { DependenciesPort, WorkspaceDependencies } from '../../kit/index.ts';
import { placePayload } from './place-payload.ts';
import { readRuntimeFile } from './runtime-file.ts';

/** Where a deployment's dependencies are; both absolute. */
export interface PrimaryRuntimeInput {
  source: string;
  /** Where they are copied to; absent: used where they are. */
  root?: string;
}

/** Finds the dependencies once for all sessions; a failure is forgotten, so that it can be put right. */
export class PrimaryRuntime implements DependenciesPort {
  readonly #input: PrimaryRuntimeInput | undefined;
  #found: Promise<WorkspaceDependencies> | undefined;

  constructor(input: PrimaryRuntimeInput | undefined) {
    this.#input = input;
  }

  load(): Promise<WorkspaceDependencies> {
    this.#found ??= this.#find().catch((error: unknown) => {
      this.#found = undefined;
      throw new Error(`primary runtime: ${errorChain(error)}`);
    });
    return this.#found;
  }

  async #find(): Promise<WorkspaceDependencies> {
    if (!this.#input) throw new Error('none is set up; EVERTURN_WORKSPACE_DEPENDENCIES names its folder');
    const { source, root } = this.#input;
    const { payloadDigest } = await readRuntimeFile(source);
    const folder = root === undefined ? source : await placePayload({ source, root, digest: payloadDigest });
    const { python, node, pnpm, pythonPackages, nodePackages } = await readRuntimeFile(folder);
    return {
      python: join(folder, python),
      ...(node !== undefined && { node: join(folder, node) }),
      ...(pnpm !== undefined && { pnpm: join(folder, pnpm) }),
      pythonPackages: join(folder, pythonPackages),
      ...(nodePackages !== undefined && { nodePackages: join(folder, nodePackages) }),
      pythonDistributions: await distributions(join(folder, pythonPackages)),
    };
  }
}

/** Installers leave a folder `<name>-<version>.dist-info` for each. */
async function distributions(folder: string): Promise<Record<string, string>> {
  const found = (await readdir(folder)).flatMap((entry) => {
    const [, name, version] = /^([^-]+)-(.+)\.dist-info$/.exec(entry) ?? [];
    return name !== undefined && version !== undefined ? [[name, version] as const] : [];
  });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
