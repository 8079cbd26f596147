import { getExternalWorkflowHandle, patched } from '@temporalio/workflow';
import { sessionWorkflowId } from '@everturn/core/protocol';
import type { SessionRecord, TurnReport } from '../../contract/index.ts';
import type { TurnState } from './turn-state.ts';

/** Writes what somebody wants only the log to have, as soon as the turn is open. */
export function takeRecord(turn: TurnState, record: SessionRecord): void {
  turn.records.push(record);
  if (turn.writer.log.open.turn === undefined) return;
  writeRecords(turn);
  // Whoever flushes next meets the same failure and handles it.
  void turn.writer.flush().then(
    () => reportToSession(turn),
    () => undefined,
  );
}

/**
 * Has a change of a person written at once, and then tells the session, which would write it again if the turn died.
 * Whoever flushes next meets the same failure and handles it.
 */
export function tellOnceWritten(turn: TurnState): void {
  void turn.writer.flush().then(
    () => {
      if (patched('report-changes')) reportToSession(turn);
    },
    () => undefined,
  );
}

/** Writes what came before the turn was open. */
export function writeRecords(turn: TurnState): void {
  for (const { requestId, events } of turn.records.splice(0)) {
    for (const { type, data } of events) turn.writer.append(type, data as never); // a right pair, as each event is
    turn.consumed.push(requestId);
  }
}

/** Tells the session where its turn stands; its result says the same, and more, so this may get lost. */
export function reportToSession({ input, consumed, knobs }: TurnState): void {
  void getExternalWorkflowHandle(sessionWorkflowId(input.session))
    .signal<[TurnReport]>('turnReport', { turn: input.turn, consumed, ...(knobs && { knobs }) })
    .catch(() => undefined);
}
