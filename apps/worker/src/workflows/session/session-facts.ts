import { condition, patched } from '@temporalio/workflow';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { AuthoredEvent, SessionFact, TurnTrigger } from '@everturn/core/domain';
import { commitLog } from '../proxies.ts';
import { writeUnwritten } from './session-permissions.ts';
import { sessionRef, type RunningTurn, type SessionState } from './session-state.ts';

/** Events of the session's own that wait to be written, in order. */
export interface WaitingFacts {
  /** Whose they are. */
  plugin: string;
  /** Why there is a turn, if one has to be made for them; absent = the plugin's word. */
  trigger?: TurnTrigger;
  events: readonly SessionFact[];
  /** Told once they are in the log. */
  written?: () => void;
  /** What was sent into a turn that died meanwhile: the log may have it. */
  sent?: { turn: number; events: AuthoredEvent[] };
}

/** Has events written that only the log is to have: into the turn that is open, else in one without steps. */
export function writeSoon(session: SessionState, waiting: WaitingFacts): void {
  session.facts.push(waiting);
}

/** Writes, while turns run, what a session has to say itself. */
export async function writeFactsWhileBusy(session: SessionState): Promise<void> {
  for (;;) {
    await condition(() => session.closing || (session.running !== undefined && session.facts.length > 0));
    const { running } = session;
    if (session.closing || !running) return;
    session.factsOnTheWay = true;
    let written: boolean;
    try {
      written = await writeIntoTurn(session, running);
    } finally {
      session.factsOnTheWay = false;
    }
    if (!written) await condition(() => session.running !== running);
  }
}

/** Whether they got into the turn. They ride alone, so that a turn which ended first takes nothing else along. */
async function writeIntoTurn(session: SessionState, running: RunningTurn): Promise<boolean> {
  const ref = sessionRef(session);
  const isFenced = (error: unknown) => isRefusedAs(error, 'LOG_FENCED') || session.generation !== ref.generation;
  try {
    if (session.facts[0]?.sent) await settleSent(session);
  } catch (error) {
    if (isFenced(error)) return false;
    throw error;
  }
  const [waiting] = session.facts;
  if (!waiting) return true;
  const { writer } = session;
  if (writer.log.open.turn === undefined) writer.log.observe({ type: 'turn/start', turn: running.number });
  // The pair of type and data is right for each, which a list of any of them cannot say.
  const events = waiting.events.map(({ type, data }) => writer.append(type, data as never));
  writer.log.withdraw(events.map(({ eid }) => eid));
  const { highestAcknowledged } = writer;
  try {
    const commit = { events, highestAcknowledged, expectOpenTurn: running.number };
    const { acks } = await commitLog({ ...ref, commit });
    session.writer.takeOver([], undefined, Math.max(...acks.map(({ seq }) => seq)));
  } catch (error) {
    if (isRefusedAs(error, 'LOG_TURN_CLOSED')) return false;
    if (!isFenced(error)) throw error;
    waiting.sent = { turn: running.number, events };
    return false;
  }
  session.facts.shift();
  waiting.written?.();
  return true;
}

/** Before the session goes on after a turn it knows what of its own got into that. */
export async function factsSettled(session: SessionState): Promise<void> {
  if (session.factsOnTheWay) await condition(() => !session.factsOnTheWay);
}

/** Writes them as a turn without steps, because every event stands in a turn. */
export async function writeFacts(session: SessionState): Promise<void> {
  if (session.facts[0]?.sent) await settleSent(session);
  const all = session.facts.splice(0);
  const [first] = all;
  if (!first) return;
  const turn = session.lastTurn + 1;
  session.lastTurn = turn;
  const { writer } = session;
  writer.append('turn/start', {
    turn,
    trigger: first.trigger ?? { kind: 'injection', source: { kind: 'plugin', plugin: first.plugin } },
  });
  writeUnwritten(session);
  for (const { type, data } of all.flatMap(({ events }) => events)) writer.append(type, data as never);
  writer.append('turn/end', { turn, reason: { kind: 'completed' } });
  await writer.flush();
  for (const { written } of all) written?.();
}

/**
 * Of what was sent into a turn that died nobody heard whether the log took it before that. It is sent once more by the
 * same names: what is there is answered with its number, and anything else is refused, for the turn is over.
 */
async function settleSent(session: SessionState): Promise<void> {
  const [waiting] = session.facts;
  const { sent } = waiting ?? {};
  if (!waiting || !sent) return;
  // A turn that is not in the log took nothing in.
  const inLog = sent.turn <= session.lastTurn && patched('facts-once') && (await isInLog(session, sent));
  delete waiting.sent;
  if (!inLog) return;
  session.facts.shift();
  waiting.written?.();
}

async function isInLog(session: SessionState, { turn, events }: NonNullable<WaitingFacts['sent']>): Promise<boolean> {
  const { highestAcknowledged } = session.writer;
  const commit = { events, highestAcknowledged, expectOpenTurn: turn };
  try {
    await commitLog({ ...sessionRef(session), commit });
    return true;
  } catch (error) {
    if (isRefusedAs(error, 'LOG_TURN_CLOSED')) return false;
    throw error;
  }
}

/** How the log refused something, if it did. */
function isRefusedAs(error: unknown, code: 'LOG_TURN_CLOSED' | 'LOG_FENCED'): boolean {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === code;
}
