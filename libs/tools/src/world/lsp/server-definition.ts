import { extname } from 'node:path';
import { ToolError } from '../../kit/index.ts';

/** A language server of the deployment: how to start it and which files it reads. */
export interface ServerDefinition {
  id: string;
  /** Program and arguments; the program absolute or on PATH. It must speak over its standard streams. */
  command: readonly string[];
  /** Extension with its dot, in lower case → the language's id in the protocol. */
  languages: Readonly<Record<string, string>>;
  /** On top of what commands inherit. */
  environment?: Readonly<Record<string, string>> | undefined;
  initializationOptions?: unknown;
  /** Answers to `workspace/configuration`, by section. */
  settings?: Readonly<Record<string, unknown>> | undefined;
}

/** Throws `LSP_INVALID_PROVIDER` for one that cannot work and `LSP_CONFLICT` for two that claim the same. */
export function assertDefinitions(definitions: readonly ServerDefinition[]): void {
  const ids = new Set<string>();
  const extensions = new Map<string, string>();
  for (const { id, command, languages } of definitions) {
    const invalid = (why: string) => new ToolError('LSP_INVALID_PROVIDER', `language server "${id}": ${why}`);
    if (ids.has(id)) throw new ToolError('LSP_CONFLICT', `there are two language servers "${id}"`);
    ids.add(id);
    if (!command[0]) throw invalid('its command is empty');
    if (Object.keys(languages).length === 0) throw invalid('it handles no extension');
    for (const extension of Object.keys(languages)) {
      if (!/^\.[^./A-Z]+$/.test(extension)) throw invalid(`"${extension}" is no extension such as ".ts" in lower case`);
      const other = extensions.get(extension);
      if (other !== undefined)
        throw new ToolError('LSP_CONFLICT', `language servers "${other}" and "${id}" both handle "${extension}"`);
      extensions.set(extension, id);
    }
  }
}

/** Who reads a file, and what its language is called there; by the last extension, which a dotfile has not. */
export function serverFor(
  definitions: readonly ServerDefinition[],
  path: string,
): { definition: ServerDefinition; languageId: string } | undefined {
  const extension = extname(path).toLowerCase();
  for (const definition of definitions) {
    const languageId = Object.hasOwn(definition.languages, extension) ? definition.languages[extension] : undefined;
    if (languageId !== undefined) return { definition, languageId };
  }
  return undefined;
}
