import { defineSignal, setHandler } from '@temporalio/workflow';
import { requestCancel, type CancelCause, type MessageEntry } from '@everturn/core/domain';
import type { RenameSession } from '@everturn/core/protocol';
import type { AbortTurn, KnobUpdate, SessionRecord } from '../../contract/index.ts';
import { permissionsSignal } from '../shared/permission-cell.ts';
import { takeKnobs } from './turn-knobs.ts';
import { takeRecord } from './turn-records.ts';
import { takeTitle } from './title-session.ts';
import { takePermissions } from './turn-permissions.ts';
import type { TurnState } from './turn-state.ts';

export const steerSignal = defineSignal<[MessageEntry]>('steer');
export const injectSignal = defineSignal<[MessageEntry]>('inject');
export const knobsSignal = defineSignal<[KnobUpdate]>('knobs');
export const recordSignal = defineSignal<[SessionRecord]>('record');
export const retractSignal = defineSignal('retract');
export const abortSignal = defineSignal<[AbortTurn]>('abort');

export const renameSignal = defineSignal<[RenameSession]>('rename');

/** Hints and cancels from the session; what is not listed as consumed at the end goes back to its queue. */
export function listenToSession(turn: TurnState, cancelled: (then: () => void) => void): void {
  setHandler(steerSignal, (entry) => turn.steering.push(entry));
  setHandler(injectSignal, (entry) => turn.injected.push(entry));
  setHandler(permissionsSignal, (update) => takePermissions(turn, update));
  setHandler(knobsSignal, (update) => takeKnobs(turn, update));
  setHandler(recordSignal, (record) => takeRecord(turn, record));
  setHandler(retractSignal, () => {
    if (turn.message === 'waits') turn.message = 'retracted';
  });
  setHandler(renameSignal, (rename) => takeTitle(turn, rename));
  setHandler(abortSignal, ({ cause }) => abortTurn(turn, cause));
  cancelled(() => abortTurn(turn, 'user'));
}

/** Stops what the turn is doing. */
export function abortTurn(turn: TurnState, cause: CancelCause): void {
  turn.cancellation = requestCancel(turn.cancellation, cause);
  turn.stop.request();
}
