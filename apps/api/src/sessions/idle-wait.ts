import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { unclaimedPrompts, type Database } from '@everturn/core/postgres';
import { LogFollower } from '../platform/follow/log-follower.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { watchLog, type WatchLogInput } from '../platform/follow/watch-log.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';

/** Going idle is a change of rows that a lost note may hide, so it is looked at this often besides. */
const LOOK_EVERY_MS = 1_000;

/** Waits until nothing runs in a session and nothing is queued; no turn's result, just quiet. */
@Injectable()
export class IdleWait {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(LogFollower) private readonly follower: LogFollower,
  ) {}

  /** Answers when the session is quiet, or when the time is up. */
  async whenIdle(input: WatchLogInput): Promise<void> {
    // A log is followed only for who may read it.
    await this.access.find(input.key);
    return watchLog(this.follower, input, async ({ wake, deadline }) => {
      while (!deadline.aborted && !(await this.#isQuiet(input.key)))
        await Promise.race([wake.next(), pause(LOOK_EVERY_MS, undefined, { signal: deadline }).catch(() => {})]);
    });
  }

  async #isQuiet(key: SessionKey): Promise<boolean> {
    const { status, queueLength } = await this.access.find(key);
    if (status === 'closed' || status === 'broken') return true;
    // A prompt is a row before the session hears of it.
    return status === 'idle' && queueLength === 0 && (await unclaimedPrompts(this.database, key)).length === 0;
  }
}
