import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What a program needs to run: files of the repository, and packages with the workspace that imports each. */
export interface ImportClosure {
  readonly files: Set<string>;
  readonly packages: Map<string, Set<string>>;
}

interface Manifest {
  readonly exports?: Record<string, string>;
}

const statement = /(?:^|\n|;)\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s*)?'([^']+)'/g;
const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g;
const beside = /new URL\('(\.[^']+)', import\.meta\.url\)/g;

/** Follows imports from an entry (relative to the root) through files and workspaces; type-only imports do not run. */
export function importClosure(root: string, entry: string, workspaces: ReadonlyMap<string, string>): ImportClosure {
  const closure: ImportClosure = { files: new Set(), packages: new Map() };
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (closure.files.has(file) || !existsSync(join(root, file))) continue;
    closure.files.add(file);
    if (!/\.m?ts$/.test(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, path = ''] of text.matchAll(beside)) if (/\.\w+$/.test(path)) waiting.push(resolveFrom(file, path));
    for (const specifier of specifiersOf(text)) {
      if (specifier.startsWith('.')) waiting.push(resolveFrom(file, specifier));
      else if (!specifier.startsWith('node:')) enter(specifier, file);
    }
  }
  return closure;

  function enter(specifier: string, importer: string): void {
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    const folder = workspaces.get(name);
    const importerFolder = [...workspaces.values()].find((path) => importer.startsWith(`${path}/`)) ?? '';
    closure.packages.set(name, (closure.packages.get(name) ?? new Set()).add(importerFolder));
    if (folder === undefined) return;
    const { exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
    const target = exports[specifier.replace(name, '.')];
    if (target === undefined) throw new Error(`${importer} imports ${specifier}, which ${folder} does not export`);
    waiting.push(join(folder, target));
  }
}

function specifiersOf(text: string): string[] {
  return [statement, dynamic].flatMap((pattern) => [...text.matchAll(pattern)].map(([, specifier = '']) => specifier));
}

function resolveFrom(file: string, path: string): string {
  return normalize(join(dirname(file), path));
}
