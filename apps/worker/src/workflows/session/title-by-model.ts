import { condition, defineSignal, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { SessionFact, TokenUsage } from '@everturn/core/domain';
import { titleClaim, type TitleDue, type TitleOutcome } from '../../contract/index.ts';
import { askTitle, planTitle, settle } from '../proxies.ts';
import { Stop } from '../shared/stop.ts';
import { addUsage } from '../turn/absorb-step.ts';
import { sessionDetails } from './session-details.ts';
import { errand } from './session-errands.ts';
import { writeSoon } from './session-facts.ts';
import { sessionRef, type SessionState } from './session-state.ts';

/** Hears from turns that a model may be asked for a title; it is asked beside whatever the session does. */
export function listenToTitles(session: SessionState): void {
  setHandler(defineSignal<[TitleDue]>('titleDue'), (due) => {
    session.signals += 1;
    takeTitleDue(session, due);
  });
}

/** Begins to ask for a title, unless that was begun for this message or a person gave one. */
export function takeTitleDue(session: SessionState, due: TitleDue): void {
  if (session.closing || session.titled === 'by-person' || due.message <= session.titleAskedFor) return;
  session.titleAskedFor = due.message;
  session.titling?.request(); // of an earlier message, which is not the latest any more
  const stop = new Stop();
  session.titling = stop;
  errand(session, async () => {
    await giveTitle(session, due, stop).catch(() => undefined); // it keeps the title it has
    if (session.titling === stop) delete session.titling;
  });
}

/** Whatever goes wrong here nobody misses. */
async function giveTitle(session: SessionState, due: TitleDue, stop: Stop): Promise<void> {
  const planned = await stop.effect(() => planTitle({ ...sessionRef(session), ...due }));
  const request = planned.kind === 'returned' ? planned.value.request : undefined;
  if (!request || stop.requested) return;
  const asked = { type: 'session/title-llm-request', data: request } as const;
  if ((await logged(session, stop, asked)) === 'no') return;
  const claim = titleClaim(due.message);
  const ref = sessionRef(session);
  const answered = await stop.effect(() => askTitle({ ...ref, ...due, claim, request }));
  if (answered.kind !== 'returned') await settle({ ...ref, claims: [claim], live: stop.settling(answered.kind) });
  else take(session, answered.value.outcome);
  if (answered.kind !== 'returned' || stop.requested) return;
  const { outcome } = answered.value;
  if (outcome.kind === 'failure') return;
  const { title } = outcome;
  session.title = title;
  session.titled = 'by-model';
  const source = { kind: 'provider' as const, provider: request.route.provider, model: request.route.model };
  write(session, { type: 'session/title', data: { title, messageSeqs: request.messageSeqs, source } });
  setCurrentDetails(sessionDetails(session, session.running ? 'running' : 'idle'));
}

/** Waits until the log says it, unless nobody wants the title any more. */
async function logged(session: SessionState, stop: Stop, fact: SessionFact): Promise<'yes' | 'no'> {
  let done = false;
  write(session, fact, () => {
    done = true;
  });
  await condition(() => done || stop.requested);
  return done && !stop.requested ? 'yes' : 'no';
}

function write(session: SessionState, fact: SessionFact, written?: () => void): void {
  const trigger = { kind: 'session-title' } as const;
  writeSoon(session, { plugin: 'session-title', trigger, events: [fact], ...(written && { written }) });
}

/** What was spent counts; while a turn runs, once its own count is back. */
function take(session: SessionState, { usage }: TitleOutcome): void {
  if (!usage) return;
  session.owedUsage.push(usage);
  if (!session.running) payOwed(session);
}

/** Adds what was spent beside a turn to what it counted. */
export function payOwed(session: SessionState): void {
  const owed = session.owedUsage.splice(0);
  if (owed.length === 0) return;
  session.usage = owed.reduce<SessionState['usage']>((sum, usage: TokenUsage) => addUsage(sum, usage), session.usage);
  session.writer.change({ usage: session.usage });
}
