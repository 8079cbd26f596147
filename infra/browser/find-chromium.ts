import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from '../wheels/program-cache.ts';
import { attempt } from '../process/attempt.ts';
import { unpackChromium, unpackedChromium } from './unpack-chromium.ts';

/** What those who need a browser look for. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/**
 * Finds a browser for the tests: on PATH, in our cache, else from the packages of Debian: installed where we are root,
 * else unpacked into the cache, which needs no rights. No registry carries one that runs Stagehand's extension (the
 * packages of npm hold the headless shell, which has none). Without it the tests that need it are skipped and say so.
 */
export async function findChromium(
  dataFolder: string,
  env: Readonly<Record<string, string | undefined>>,
  tell: (text: string) => void,
): Promise<string | undefined> {
  const onPath = findOnPath(env['PATH']);
  if (onPath !== undefined || process.platform !== 'linux') return onPath;
  const cache = cacheFolder(join(dataFolder, 'tools'));
  const cached = await unpackedChromium(cache);
  if (cached !== undefined) return cached;
  try {
    if (process.getuid?.() !== 0) return await unpackChromium(cache, tell);
    tell('installing chromium with apt-get');
    await attempt('apt-get', ['update', '-qq']);
    await attempt('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']);
    return findOnPath(env['PATH']);
  } catch (error) {
    tell(`no browser could be had: ${(error as Error).message}`);
    return undefined;
  }
}

function findOnPath(path = ''): string | undefined {
  const places = path.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return places.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
