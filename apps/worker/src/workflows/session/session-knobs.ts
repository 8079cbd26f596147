import { defineSignal, patched, setHandler } from '@temporalio/workflow';
import {
  turnKnobs,
  type KnobChange,
  type KnobFact,
  type KnobSwitch,
  type RequestId,
  type StepKnobs,
} from '@everturn/core/domain';
import type { KnobsReceipt, SetKnobs } from '@everturn/core/protocol';
import type { TurnReport } from '../../contract/index.ts';
import { record } from './session-records.ts';
import type { SessionState } from './session-state.ts';

const TRIGGERS = { 'plan/mode': 'plan-mode', 'model/choice': 'model-choice' } as const;

/** Takes a change: it holds at once while nothing runs, else the turn that runs takes it before its next step. */
export function setKnobs(session: SessionState, { requestId, change }: SetKnobs): KnobsReceipt {
  const { result, facts } = applyKnobs(session, { requestId, change });
  for (const fact of facts) recordFact(session, requestId, fact);
  return { result };
}

/** The same for whoever writes what the log has to say of it. */
export function applyKnobs(
  session: SessionState,
  { requestId, change }: SetKnobs,
): { result: KnobSwitch; facts: KnobFact[] } {
  if (!session.opened) {
    session.knobUpdates.push({ requestId, change });
    return { result: 'queued', facts: [] };
  }
  const { knobs, result, facts } = turnKnobs(session.knobs ?? {}, change, session.running ? 'busy' : 'idle');
  if (result === 'noop') return { result, facts };
  session.knobs = knobs;
  if (session.running) session.knobUpdates.push({ requestId, change });
  session.running?.send('knobs', { requestId, change });
  return { result, facts };
}

function recordFact(session: SessionState, requestId: RequestId, fact: KnobFact): void {
  record(session, { requestId, trigger: { kind: TRIGGERS[fact.type] }, events: [fact] });
}

/** Where the knobs stand by somebody who knows better, and on top of it what they have not heard of. */
function adopt(session: SessionState, knobs: StepKnobs | undefined, consumed: readonly RequestId[]): void {
  session.knobUpdates = session.knobUpdates.filter(({ requestId }) => !consumed.includes(requestId));
  const open = withChanges(
    knobs,
    session.knobUpdates.map(({ change }) => change),
  );
  if (open) session.knobs = open;
}

const withChanges = (knobs: StepKnobs | undefined, changes: readonly KnobChange[]): StepKnobs | undefined =>
  changes.reduce<StepKnobs | undefined>((before, change) => turnKnobs(before ?? {}, change, 'busy').knobs, knobs);

/** A turn has ended: what it had not taken waits for the next. */
export function takeBackKnobs(
  session: SessionState,
  { knobs, consumed }: { knobs?: StepKnobs; consumed: readonly RequestId[] },
): void {
  adopt(session, knobs, consumed);
  session.knobUpdates = [];
}

/** What the log says, after a beginning or the death of a turn; changes that were on their way are not lost. */
export function reopenKnobs(session: SessionState, found: StepKnobs | undefined): void {
  const { plan, model } = session.knobs ?? {};
  const onTheWay: KnobChange[] = [
    ...(plan?.next?.by === 'user' ? [{ plan: plan.next.active }] : []),
    ...(model?.next ? [{ model: model.next }] : []),
  ];
  const knobs = withChanges(found, onTheWay);
  takeBackKnobs(session, { ...(knobs && { knobs }), consumed: [] });
}

/** Hears from the turn that runs where it stands. */
export function listenToTurn(session: SessionState): void {
  setHandler(defineSignal<[TurnReport]>('turnReport'), ({ turn, consumed, knobs }) => {
    session.signals += 1;
    if (session.running?.number !== turn) return;
    session.records = session.records.filter(({ requestId }) => !consumed.includes(requestId));
    dropWritten(session, consumed);
    adopt(session, knobs, consumed);
  });
}

/** Changes of people that the turn has written need not be written again if it dies. */
function dropWritten(session: SessionState, consumed: readonly RequestId[]): void {
  const waits = ({ requestId }: { requestId: RequestId }) => !consumed.includes(requestId);
  const { permissionUpdates, renames } = session;
  if ((permissionUpdates.every(waits) && renames.every(waits)) || !patched('reported-changes')) return;
  session.permissionUpdates = permissionUpdates.filter(waits);
  session.renames = renames.filter(waits);
}
