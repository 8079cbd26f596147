import { findBubblewrap } from '../src/world/sandbox/find-bubblewrap.ts';
import { findLandlock } from '../src/world/sandbox/find-landlock.ts';

const path = process.env['EVERTURN_TEST_BUBBLEWRAP'];
/** The bubblewrap of tests: what the run has found or fetched, else whatever is on the path. */
export const bubblewrap = path === undefined ? {} : { bubblewrap: path };
/** Where runners are looked for in tests. */
export const runnerSearch = { searchPath: process.env['PATH'] ?? '', probeTimeoutMs: 20_000, ...bubblewrap };
const finders = { bubblewrap: findBubblewrap, landlock: findLandlock };

/** Why a runner's tests are skipped, for their titles; empty where it works. */
export async function missing(name: keyof typeof finders): Promise<string> {
  const found = await finders[name](runnerSearch);
  return 'reason' in found ? ` [skipped: ${name} cannot be used here: ${found.reason}]` : '';
}
