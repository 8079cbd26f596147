import type { TurnEndReason } from '@everturn/core/domain';
import { compactHistory } from './compact-history.ts';
import { composeHeader, composePrefix } from './compose-header.ts';
import { reasonOf } from './turn-end-reason.ts';
import { writeRecords } from './turn-records.ts';
import { appendFacts, writePermissionFacts } from './turn-permissions.ts';
import type { TurnState } from './turn-state.ts';

/** A turn without steps that shortens the history because somebody asked for it. */
export async function runCompactionTurn(turn: TurnState): Promise<TurnEndReason> {
  turn.writer.append('turn/start', { turn: turn.input.turn, trigger: { kind: 'compact' } });
  appendFacts(turn.writer, turn.input.permissions?.unwritten ?? []);
  writePermissionFacts(turn);
  writeRecords(turn);
  const failed = (await composeHeader(turn)) ?? (await composePrefix(turn));
  if (failed) return failed;
  await compactHistory(turn, 'manual');
  return reasonOf(turn);
}
