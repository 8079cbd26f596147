import { Inject, Injectable } from '@nestjs/common';
import type { RequestId } from '@everturn/core/domain';
import { readPrompt, readTurnEnd, type Database } from '@everturn/core/postgres';
import { LogFollower } from '../platform/follow/log-follower.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import type { SessionTail } from '../platform/follow/session-tail.ts';
import { watchLog, type WatchLogInput } from '../platform/follow/watch-log.ts';
import { DATABASE } from '../platform/tokens.ts';

/** How far a prompt came; `end` says how its turn ended. */
export interface PromptProgress {
  state: 'waiting' | 'running' | 'ended' | 'discarded';
  turn?: number;
  end?: unknown;
}

interface WaitInput extends WatchLogInput {
  promptId: RequestId;
}

/** Waits, by reading the log, for the end of the turn that took a prompt. */
@Injectable()
export class TurnWait {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LogFollower) private readonly follower: LogFollower,
  ) {}

  /** Answers as soon as the turn has ended or the prompt was dropped, else how far it came in time. */
  forEnd({ key, promptId, ...bounds }: WaitInput): Promise<PromptProgress> {
    return watchLog(this.follower, { key, ...bounds }, async ({ tail, wake, deadline }) => {
      for (;;) {
        const head = tail.head;
        const progress = await this.#progress(key, promptId);
        if (progress.state === 'ended' || progress.state === 'discarded' || deadline.aborted) return progress;
        do await wake.next();
        while (!deadline.aborted && !(await movedOn(tail, head)));
      }
    });
  }

  async #progress(key: SessionKey, promptId: RequestId): Promise<PromptProgress> {
    const prompt = await readPrompt(this.database, { ...key, promptId });
    if (!prompt || prompt.state === 'discarded') return { state: 'discarded' };
    const { turn } = prompt;
    if (turn === undefined) return { state: 'waiting' };
    const end = await readTurnEnd(this.database, { ...key, turn });
    return end ? { state: 'ended', turn, end } : { state: 'running', turn };
  }
}

/** Whether something other than deltas was committed since, which is all that can end a turn or drop a prompt. */
async function movedOn(tail: SessionTail, since: number): Promise<boolean> {
  const ring = await tail.ring();
  const rows = ring.after(since);
  return !rows || rows.length === 0 || rows.some(({ type }) => type !== 'assistant/chunk');
}
