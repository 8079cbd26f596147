import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LogFollower } from '../follow/log-follower.ts';
import type { SessionKey } from '../follow/log-source.ts';
import { watchLog } from '../follow/watch-log.ts';

/** A note of a change may get lost, so it is looked this often besides. */
const LOOK_EVERY_MS = 1_000;

/** Waits until the log says something. */
@Injectable()
export class CommandWait {
  constructor(@Inject(LogFollower) private readonly follower: LogFollower) {}

  /** What is found, or nothing when the time is up. */
  until<T>(key: SessionKey, timeoutMs: number, find: () => Promise<T | undefined>): Promise<T | undefined> {
    return watchLog(this.follower, { key, timeoutMs }, async ({ wake, deadline }) => {
      for (;;) {
        const found = await find();
        if (found !== undefined || deadline.aborted) return found;
        await Promise.race([wake.next(), pause(LOOK_EVERY_MS, undefined, { signal: deadline }).catch(() => {})]);
      }
    });
  }
}
