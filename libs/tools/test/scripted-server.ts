import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenLocalWorldInput, ServerDefinition } from '../src/world/index.ts';
import type { ServerScript } from './language-server.ts';
import { openWorkspace, temporaryDirectory, type Workspace } from './workspace.ts';

/** A definition whose server does what a test says, and what it wrote down about that. */
export interface ScriptedServer {
  definition: ServerDefinition;
  /** Lines of its journal that begin so, without that word. */
  noted(word: string): string[];
}

/** Scripts a server for `.demo` files. */
export function scriptServer(
  script: Omit<ServerScript, 'journal'> = {},
  rest: Partial<ServerDefinition> = {},
): ScriptedServer {
  const journal = join(temporaryDirectory(), 'journal');
  const entry = fileURLToPath(new URL('language-server.ts', import.meta.url));
  const command = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    entry,
    JSON.stringify({ ...script, journal }),
  ];
  const lines = (): string[] => {
    try {
      return readFileSync(journal, 'utf8').split('\n');
    } catch {
      return []; // it has not started yet
    }
  };
  return {
    definition: { id: 'demo', command, languages: { '.demo': 'demo' }, ...rest },
    noted: (word) => lines().flatMap((line) => (line.startsWith(word) ? [line.slice(word.length + 1)] : [])),
  };
}

/** One character of a `.demo` file. */
export const hover = (file_path: string) => ({ operation: 'hover', file_path, line: 1, character: 1 });

/** A workspace with `a.demo`, whose server does what the script says. */
export async function openDemo(
  script?: Omit<ServerScript, 'journal'>,
  definition?: Partial<ServerDefinition>,
  world?: Partial<OpenLocalWorldInput>,
): Promise<ScriptedServer & Workspace> {
  const server = scriptServer(script, definition);
  const workspace = await openWorkspace({ languageServers: [server.definition], ...world });
  writeFileSync(join(workspace.cwd, 'a.demo'), 'let s = "🚀";');
  return { ...server, ...workspace };
}
