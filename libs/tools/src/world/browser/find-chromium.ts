import { findExecutable } from '../processes/find-executable.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

export const MISSING_CHROMIUM =
  'no Chromium was found: install one (on Debian and Ubuntu `apt-get install chromium`) or set EVERTURN_CHROMIUM_PATH to its program';

/** The browser's program: the configured one, else the first the search path has. Throws what to install. */
export async function findChromium(configured: string | undefined, searchPath: string): Promise<string> {
  for (const name of configured === undefined ? NAMES : [configured]) {
    const found = await findExecutable(name, searchPath).catch(() => undefined);
    if (found !== undefined) return found;
  }
  throw new Error(
    configured === undefined
      ? MISSING_CHROMIUM
      : `EVERTURN_CHROMIUM_PATH names "${configured}", which cannot be run; ${MISSING_CHROMIUM}`,
  );
}
