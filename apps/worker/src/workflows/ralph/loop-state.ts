import { SessionLog, type SessionId } from '@everturn/core/domain';
import type { RalphInput } from '../../contract/index.ts';
import { LogWriter } from '../shared/log-writer.ts';
import type { PermissionCell } from '../shared/permission-cell.ts';
import { Stop } from '../shared/stop.ts';
import { stepRef } from '../step/step-state.ts';

/** What one loop knows between and during its rounds. */
export interface LoopState {
  readonly input: RalphInput;
  readonly writer: LogWriter;
  readonly stop: Stop;
  readonly permissions: PermissionCell;
  /** Rounds that are over. */
  rounds: number;
  /** The agent of the last one, whose log has the report. */
  previous?: SessionId;
  /** Rounds this run of the workflow has seen. */
  seen: number;
}

/** A loop at its beginning, or where its last run stopped. */
export function openLoop(input: RalphInput): LoopState {
  const { turn, step, place, generation, highestAcknowledged, permissions, carried } = input;
  const log = new SessionLog({
    author: `t${turn}.s${step}.c${place}`,
    generation,
    now: Date.now,
    highestAcknowledged,
    ...(carried && { next: carried.nextEvent }),
  });
  return {
    input,
    writer: new LogWriter({ ref: () => stepRef(input), log, highestAcknowledged }),
    stop: new Stop(),
    permissions: permissions ? { now: permissions } : {},
    rounds: carried?.rounds ?? 0,
    ...(carried && { previous: carried.previous }),
    seen: 0,
  };
}
