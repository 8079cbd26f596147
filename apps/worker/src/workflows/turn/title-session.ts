import { getExternalWorkflowHandle, patched } from '@temporalio/workflow';
import { fallbackTitle } from '@everturn/core/domain';
import { sessionWorkflowId, type RenameSession } from '@everturn/core/protocol';
import type { TitleDue } from '../../contract/index.ts';
import { tellOnceWritten } from './turn-records.ts';
import type { TurnState } from './turn-state.ts';

/** Names the session after what a person first said in it, as soon as that has a number to refer to. */
export function giveTitle(turn: TurnState): void {
  const { untitled, writer } = turn;
  const seq = untitled && writer.log.seqOf(untitled.message);
  if (!untitled || seq === undefined) return;
  delete turn.untitled;
  const title = fallbackTitle(untitled.words);
  if (title === undefined || !patched('titles')) return;
  writer.append('session/title', { title, messageSeqs: [seq], source: { kind: 'fallback' } });
  turn.title = title;
}

/**
 * Tells the session that a model may be asked for a title, now that its model has answered. Only assemblies of workers
 * that do so name a cadence, so that earlier histories never come further. The title it has so far goes first. What a
 * turn says as it ends may get lost, so its result says it once more.
 */
export function callForTitle(turn: TurnState): void {
  const { assembly, heard, writer, input, step } = turn;
  const message = heard && writer.log.seqOf(heard);
  if (!assembly?.titles || message === undefined) return;
  delete turn.heard;
  if (assembly.titles === 'first-prompt' && !input.untitled) return;
  const due: TitleDue = { turn: input.turn, step, header: assembly.header, message };
  turn.titleDue = due;
  const session = getExternalWorkflowHandle(sessionWorkflowId(input.session));
  void writer
    .flush()
    .then(() => session.signal<[TitleDue]>('titleDue', due))
    .catch(() => undefined);
}

/** Takes a title of a person while the turn runs. */
export function takeTitle(turn: TurnState, { requestId, title }: RenameSession): void {
  if (turn.writer.log.open.turn === undefined) return; // the session writes it
  delete turn.untitled;
  turn.title = title;
  turn.writer.append('session/title', { title, messageSeqs: [], source: { kind: 'user' } });
  turn.consumed.push(requestId);
  tellOnceWritten(turn);
}
