import { text } from '@everturn/core/domain';
import type { CreationFact } from '@everturn/core/domain';
import type { PermissionUpdate } from '@everturn/core/protocol';
import { changePermissions } from '../shared/permission-cell.ts';
import type { LogWriter } from '../shared/log-writer.ts';
import { tellOnceWritten } from './turn-records.ts';
import type { TurnState } from './turn-state.ts';

/** Who tells the model of changes. */
export const PERMISSION_SOURCE = { kind: 'plugin', plugin: 'user-approval' } as const;

/** Takes a change while the turn runs: calls that start from now on keep to it. */
export function takePermissions(turn: TurnState, update: PermissionUpdate): void {
  changePermissions(turn.permissions, update);
  turn.permissionUpdates.push(update);
  turn.sendToStep?.(update);
  if (!isOpen(turn)) return;
  writePermissionFacts(turn);
  tellOnceWritten(turn);
}

/** Writes what came since; the model is told at the next boundary. */
export function writePermissionFacts(turn: TurnState): void {
  for (const { requestId, facts, notices } of turn.permissionUpdates.splice(0)) {
    appendFacts(turn.writer, facts);
    turn.notices.push(...notices);
    turn.consumed.push(requestId);
  }
}

/** Tells the model what changed, after a step's calls and before the next request. */
export function appendNotices(turn: TurnState): void {
  for (const notice of turn.notices.splice(0)) appendNotice(turn.writer, notice);
}

/** Writes permission events, and what else is fixed at creation. */
export function appendFacts(writer: LogWriter, facts: readonly CreationFact[]): void {
  // The pair of type and data is right for each fact, which a list of any of them cannot say.
  for (const { type, data } of facts) writer.append(type, data as never);
}

/** Writes a change as the model reads it. */
export function appendNotice(writer: LogWriter, notice: string): void {
  writer.append('context/message', { content: [text(notice)], source: PERMISSION_SOURCE });
}

const isOpen = ({ writer }: TurnState): boolean => writer.log.open.turn !== undefined;
