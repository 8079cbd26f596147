import { z } from 'zod';
import { brokenFile, readJsonFile, type NamedFile } from './json-file.ts';

const section = z.record(z.string(), z.unknown()).optional();
const AgentsFile = z.strictObject({
  delegation: z.array(z.unknown()).optional(),
  team: section,
  workflow: section,
  ralph: section,
});

/** How agents are set up; what the sections hold is checked by the worker, which knows the tools. */
export interface AgentsConfig extends z.output<typeof AgentsFile> {
  file: NamedFile;
}

/** What a file says of agents; throws `CONFIG_FILE`. */
export function readAgentsFile(path: string): AgentsConfig {
  const file: NamedFile = { path, variable: 'EVERTURN_AGENTS_FILE' };
  const parsed = AgentsFile.safeParse(readJsonFile(file));
  if (!parsed.success) throw brokenFile(file, z.prettifyError(parsed.error));
  return { ...parsed.data, file };
}
