import { findBubblewrap } from '../src/world/sandbox/find-bubblewrap.ts';
import { findLandlock } from '../src/world/sandbox/find-landlock.ts';

const bubblewrap = process.env['EVERTURN_TEST_BUBBLEWRAP'];
/** Where runners are looked for in tests. */
export const runnerSearch = {
  searchPath: process.env['PATH'] ?? '',
  probeTimeoutMs: 5_000,
  ...(bubblewrap !== undefined && { bubblewrap }),
};
const finders = { bubblewrap: findBubblewrap, landlock: findLandlock };

/** Why a runner's tests are skipped, for their titles; empty where it works. */
export async function missing(name: keyof typeof finders): Promise<string> {
  const found = await finders[name](runnerSearch);
  return 'reason' in found ? ` [skipped: ${name} cannot be used here: ${found.reason}]` : '';
}
