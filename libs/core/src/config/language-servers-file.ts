import { z } from 'zod';
import { brokenFile, readJsonFile, type NamedFile } from './json-file.ts';

const LanguageServersFile = z.strictObject({
  servers: z.array(
    z.strictObject({
      id: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'use letters, digits, . _ -'),
      /** Program and arguments. */
      command: z.array(z.string().min(1)).min(1),
      /** Extension with its dot → the language's id in the protocol. */
      languages: z.record(z.string().regex(/^\.[^./A-Z]+$/, 'use extensions such as ".ts"'), z.string().min(1)),
      environment: z.record(z.string(), z.string()).optional(),
      initializationOptions: z.unknown().optional(),
      settings: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

/** A language server a deployment offers to sessions with the tool set `lsp`. */
export type LanguageServerConfig = z.output<typeof LanguageServersFile>['servers'][number];

/** The servers a file lists; throws `CONFIG_FILE`. */
export function readLanguageServersFile(path: string): LanguageServerConfig[] {
  const file: NamedFile = { path, variable: 'EVERTURN_LANGUAGE_SERVERS_FILE' };
  const parsed = LanguageServersFile.safeParse(readJsonFile(file));
  if (!parsed.success) throw brokenFile(file, z.prettifyError(parsed.error));
  const { servers } = parsed.data;
  const twice =
    repeated(servers.map(({ id }) => id)) ?? repeated(servers.flatMap(({ languages }) => Object.keys(languages)));
  if (twice !== undefined) throw brokenFile(file, `"${twice}" stands in it twice`);
  return servers;
}

const repeated = (names: readonly string[]): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index);
