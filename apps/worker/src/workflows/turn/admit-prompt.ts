import { patched } from '@temporalio/workflow';
import { assertNever, STALE_ROUND, type MessageEntry, type TurnEndReason } from '@everturn/core/domain';
import { askListeners } from '../shared/ask-listeners.ts';
import { composeHeader } from './compose-header.ts';
import { failureReason, reasonOf, stopReason } from './turn-end-reason.ts';
import { writeRecords } from './turn-records.ts';
import { appendFacts, writePermissionFacts } from './turn-permissions.ts';
import { appendContexts, askerOf, type TurnState } from './turn-state.ts';
import { actsOnMachine, listens } from '../step/step-state.ts';
import { detachStart } from './detached-start.ts';

/** Opens the turn and lets its message in, unless a listener blocks it; returns why the turn ends here, if it does. */
export async function admitPrompt(turn: TurnState): Promise<TurnEndReason | undefined> {
  const { message, turn: number } = turn.input;
  turn.writer.append('turn/start', { turn: number, trigger: { kind: 'message', source: message.source } });
  appendFacts(turn.writer, turn.input.permissions?.unwritten ?? []);
  writePermissionFacts(turn);
  writeRecords(turn);
  turn.writer.change({ prompts: [{ promptId: message.requestId, state: 'claimed', turn: number }] });
  turn.consumed.push(message.requestId);
  const failed = await composeHeader(turn);
  if (failed) {
    admit(turn, message.content);
    return failed;
  }
  const stopped = await startInstance(turn);
  if (!stopped) return gate(turn);
  // A first turn that is stopped this early keeps its message, as any other does, unless somebody has a say in it.
  const free = turn.assembly && !listens({ assembly: turn.assembly }, 'agent/prompt-submit') && !isRetracted(turn);
  if (free && patched('message-of-a-stopped-start')) admit(turn, message.content);
  return stopped;
}

async function startInstance(turn: TurnState): Promise<TurnEndReason | undefined> {
  const { assembly, instance } = turn;
  if (!assembly || instance.started) return undefined;
  turn.instance = { ...instance, started: true };
  if (!listens({ assembly }, 'agent/session-start')) return stopReason(turn);
  const { startSource: source } = instance;
  if (actsOnMachine({ assembly }, 'agent/session-start')) detachStart(turn, source);
  else await askListeners(askerOf(turn), { point: 'agent/session-start', source });
  return stopReason(turn);
}

async function gate(turn: TurnState): Promise<TurnEndReason | undefined> {
  const { content, source } = turn.input.message;
  const { assembly } = turn;
  if (!assembly || !listens({ assembly }, 'agent/prompt-submit')) {
    if (isRetracted(turn)) return retracted(turn);
    admit(turn, content);
    return undefined;
  }
  if (isRetracted(turn)) return retracted(turn);
  const verdict = await askListeners(askerOf(turn), { point: 'agent/prompt-submit', content, source });
  switch (verdict.kind) {
    case 'stopped':
      return reasonOf(turn);
    case 'threw':
      return failureReason(turn, verdict);
    case 'decided':
      break;
    default:
      return assertNever(verdict);
  }
  // It may have been taken back while they were asked.
  if (isRetracted(turn)) return retracted(turn);
  const { decision } = verdict;
  switch (decision.action) {
    case 'allow':
      admit(turn, decision.content ?? content);
      appendContexts(turn, decision.additionalContexts ?? []);
      return undefined;
    case 'block':
      turn.writer.append('prompt/blocked', { content, source, reason: decision.reason });
      return { kind: 'rejected', reason: decision.reason };
    default:
      return assertNever(decision);
  }
}

/** Writes the message; the first of a person gives the session its title. */
function admit(turn: TurnState, content: MessageEntry['content']): void {
  const { source, preview } = turn.input.message;
  const { eid } = turn.writer.append('user/message', { content, source });
  turn.message = 'admitted';
  if (source.kind === 'user') turn.heard = eid;
  if (turn.input.untitled) turn.untitled = { message: eid, words: preview };
}

/** The goal has changed since its round was begun, which then is none. */
function retracted(turn: TurnState): TurnEndReason {
  const { content, source } = turn.input.message;
  turn.writer.append('prompt/blocked', { content, source, reason: STALE_ROUND });
  return { kind: 'rejected', reason: STALE_ROUND };
}

/** Asked anew each time: a signal may come while something is waited for. */
const isRetracted = ({ message }: TurnState): boolean => message === 'retracted';
