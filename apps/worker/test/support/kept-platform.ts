import { rmSync } from 'node:fs';
import { heldByWorker, tellWhatIsHeld } from './held-by-worker.ts';
import { startPlatform, type Platform } from './platform.ts';

/** It belongs to the process, whichever of its files asks first. */
const key = Symbol.for('everturn.testing.platform');
const kept = globalThis as { [key]?: Promise<Platform> };

/** The platform without settings of its own: started by the first file of this process that wants it, kept to its end. */
export async function keptPlatform(): Promise<Platform> {
  if (kept[key]) {
    const platform = await kept[key];
    await platform.renew();
    return platform;
  }
  kept[key] = startPlatform();
  try {
    const platform = await kept[key];
    endWithProcess(platform);
    return platform;
  } catch (error) {
    delete kept[key];
    throw error;
  }
}

/** Vitest tells a process of its pool to go by SIGTERM, and waits half a second. */
function endWithProcess(platform: Platform): void {
  process.once('SIGTERM', () => {
    const held = heldByWorker(platform.worker().pid);
    for (const { pid } of [platform.worker(), platform.apiProcess()]) kill(pid);
    rmSync(platform.dataDir, { recursive: true, force: true });
    const told = tellWhatIsHeld(platform.database, held);
    void told.catch(() => undefined).then(() => process.kill(process.pid, 'SIGKILL'));
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // A test ended it before.
  }
}
