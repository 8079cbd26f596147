import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const inside = z
  .string()
  .min(1)
  .refine(
    (path) => !/^([/\\]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..'),
    'name a path inside the folder of runtime.json',
  );

const RuntimeFile = z
  .object({
    desktopVersion: z.string().min(1),
    platform: z.enum(['win32', 'darwin', 'linux']),
    arch: z.enum(['x64', 'arm64']),
    /** Also the name of the copy's folder. */
    payloadDigest: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:=+-]{0,199}$/, 'use letters, digits, . _ : = + -'),
    python: inside,
    node: inside.optional(),
    pnpm: inside.optional(),
    pythonPackages: inside,
    nodePackages: inside.optional(),
  })
  .refine(({ node, pnpm }) => pnpm === undefined || node !== undefined, { path: ['pnpm'], error: 'it needs node' });

/** What a payload says of itself; paths are relative to its folder. */
export type RuntimeFile = z.output<typeof RuntimeFile>;

/** Reads the `runtime.json` of a payload for this machine, all of whose files are there; throws saying what is wrong. */
export async function readRuntimeFile(folder: string): Promise<RuntimeFile> {
  const path = join(folder, 'runtime.json');
  const parsed = RuntimeFile.safeParse(JSON.parse(await readFile(path, 'utf8')));
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
  const { platform, arch, python, node, pnpm, pythonPackages, nodePackages } = parsed.data;
  if (platform !== process.platform || arch !== process.arch)
    throw new Error(`${path} is for ${platform}-${arch}, and this machine is ${process.platform}-${process.arch}`);
  for (const [name, file] of Object.entries({ python, node, pnpm }))
    if (file !== undefined) await assertIs('file', name, join(folder, file));
  for (const [name, file] of Object.entries({ pythonPackages, nodePackages }))
    if (file !== undefined) await assertIs('folder', name, join(folder, file));
  return parsed.data;
}

async function assertIs(kind: 'file' | 'folder', name: string, path: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new Error(`${name} is missing: ${path}`, { cause });
  });
  if (kind === 'file' ? !found.isFile() : !found.isDirectory()) throw new Error(`${name} is no ${kind}: ${path}`);
}
