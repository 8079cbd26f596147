import { eventId, openSubCalls, recoverTail, validateAuthoredData } from '@everturn/core/domain';
import type {
  Ack,
  AuthoredEvent,
  CallId,
  JobId,
  RecoveryEvent,
  SessionEvent,
  SettledCall,
} from '@everturn/core/domain';
import { listInteractions, readEvents, readHead } from '@everturn/core/postgres';
import type { EventPage, LogHead } from '@everturn/core/postgres';
import { callClaim, subCallClaim, toolOutcome } from '../contract/index.ts';
import type { ClaimKey, InteractionChange, SessionRef, Settlement } from '../contract/index.ts';
import { commit } from './commit.ts';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';
import { settle } from './settle.ts';
import { voidUnbegunJobs } from './void-unbegun-jobs.ts';

const PAGE = 500;

/**
 * Closes the open turn that dead authors left: settles their claims, then writes real results where claims hold them,
 * what is known of the others, and the boundaries. The generation must have been raised; repeating it changes nothing.
 */
export async function repairTail(projection: Projection, ref: SessionRef): Promise<Ack[]> {
  const head = await asProjectionError(() => readHead(projection.database, ref));
  const claims = await openClaims(projection, ref);
  const tail = head?.openTurn === undefined ? [] : await readTail(projection, ref, head);
  const calls = head?.openStep === undefined ? [] : callKeys(tail, head);
  const subCalls = head?.openStep === undefined ? [] : subCallKeys(tail, head);
  if (claims.length + calls.length === 0 && tail.length === 0) return [];
  const commitNothing = { events: [], highestAcknowledged: -1 };
  const { settlements } = await settle(projection, {
    ...ref,
    claims: [...claims, ...calls.map(({ key }) => key), ...subCalls.map(({ key }) => key)],
    live: 'take-over',
    commit: commitNothing,
  });
  if (tail.length === 0) return [];
  const unbegun = await voidUnbegunJobs(projection, { ...ref, turn: head?.openTurn ?? 0 });
  const settled = <I>(keys: readonly Keyed<I>[], toCall: typeof toSettledCall) =>
    new Map(keys.map(({ id, key }) => [id, toCall(settlements[key] as Settlement, unbegun)]));
  const { open, closers, time } = recoverTail({
    events: tail,
    calls: settled(calls, toSettledCall),
    subCalls: settled(subCalls, toSettledSubCall),
  });
  const events = closers.map((closer, n): AuthoredEvent => {
    validateAuthoredData(closer.type, closer.data);
    // An author of its own: the counters of session and turn belong to workflows that know nothing of this.
    const eid = eventId(`t${open.turn ?? 0}.s${open.step ?? 0}.recovery`, ref.generation, n);
    return toAuthored(closer, { eid, time });
  });
  const interactions = await unanswered(projection, ref);
  const rows = interactions.length > 0 && { rows: { interactions } };
  const { acks } = await commit(projection, { ...ref, commit: { ...commitNothing, events, ...rows } });
  return acks;
}

/** Nobody waits for their answers any more. */
async function unanswered({ database }: Projection, { tenant, session }: SessionRef): Promise<InteractionChange[]> {
  const open = await asProjectionError(() => listInteractions(database, { tenant, session, state: 'open' }));
  return open.map(({ id, kind, turn, step, callId, answerTo, request }): InteractionChange => ({
    id,
    kind,
    turn,
    step,
    answerTo,
    request,
    ...(callId !== undefined && { callId }),
    state: 'cancelled',
    outcome: kind === 'approval' ? 'cancelled' : { kind: 'cancelled' },
  }));
}

function toAuthored(closer: RecoveryEvent, name: Pick<AuthoredEvent, 'eid' | 'time'>): AuthoredEvent {
  const { type, data } = closer;
  const surface = closer.type === 'tool/result' ? closer.surface : {};
  return { ...name, type, data, ...surface } as AuthoredEvent;
}

/** Claims that nobody will finish any more, since every write of their holders is refused from now on; jobs go on. */
async function openClaims({ database }: Projection, { tenant, session }: SessionRef): Promise<ClaimKey[]> {
  const rows = await asProjectionError(() =>
    database
      .selectFrom('claims')
      .select('key')
      .where('tenant', '=', tenant)
      .where('session_id', '=', session)
      .where('state', '=', 'claimed')
      .where('key', 'not like', 'job:%')
      .execute(),
  );
  return rows.map(({ key }) => key);
}

async function readTail(projection: Projection, ref: SessionRef, { openTurn }: LogHead): Promise<SessionEvent[]> {
  const start = await asProjectionError(() =>
    projection.database
      .selectFrom('session_events')
      .select('seq')
      .where('tenant', '=', ref.tenant)
      .where('session_id', '=', ref.session)
      .where('type', '=', 'turn/start')
      .where('turn', '=', openTurn ?? 0)
      .executeTakeFirstOrThrow(),
  );
  const tail: SessionEvent[] = [];
  let from: number | undefined = start.seq;
  while (from !== undefined) {
    const page: EventPage<SessionEvent> = await readPage(projection, ref, from);
    tail.push(...page.events);
    from = page.next;
  }
  return tail;
}

function readPage({ database }: Projection, ref: SessionRef, from: number): Promise<EventPage<SessionEvent>> {
  return asProjectionError(() => readEvents(database, { ...ref, from, chunks: false, limit: PAGE }));
}

/** A call, as the log knows it, and its claim. */
interface Keyed<I> {
  id: I;
  key: ClaimKey;
}

/** Of the open step's message, by their place in it. */
function callKeys(tail: readonly SessionEvent[], { openTurn = 0, openStep = 0 }: LogHead): Keyed<number>[] {
  return requestedCalls(tail, openStep).map((_id, index) => ({ id: index, key: callClaim(openTurn, openStep, index) }));
}

/** Of programs of the open step that were recorded as started only. */
function subCallKeys(tail: readonly SessionEvent[], { openTurn = 0, openStep = 0 }: LogHead): Keyed<CallId>[] {
  const requested = requestedCalls(tail, openStep);
  return openSubCalls(tail).map(({ rootCallId, parentCallId, subCallId }) => {
    const n = Number(subCallId.slice(`${parentCallId}:ptc:`.length));
    return { id: subCallId, key: subCallClaim(openTurn, openStep, { index: requested.indexOf(rootCallId) }, n) };
  });
}

function requestedCalls(tail: readonly SessionEvent[], openStep: number): CallId[] {
  const message = tail.findLast(
    (event) => event.type === 'assistant/message' && event.surfaceOp === 'append' && event.data.step === openStep,
  );
  if (message?.type !== 'assistant/message') return [];
  return message.data.content.flatMap((block) => (block.type === 'tool-call' ? [block.id] : []));
}

function toSettledCall(settlement: Settlement, unbegun: ReadonlySet<JobId>): SettledCall {
  if (settlement.state !== 'done') return { state: settlement.state };
  const { content, isError, error, meta, job } = toolOutcome(settlement.outcome);
  if (job && unbegun.has(job.id)) return { state: 'not-started' };
  return {
    state: 'done',
    result: { content, isError, ...(error && { error }), ...(meta !== undefined && { meta }) },
  };
}

/** A program may have been given more than the log's copy holds. */
function toSettledSubCall(settlement: Settlement, unbegun: ReadonlySet<JobId>): SettledCall {
  const settled = toSettledCall(settlement, unbegun);
  if (settled.state !== 'done' || settlement.state !== 'done') return settled;
  const logged = toolOutcome(settlement.outcome).forProgram?.logged;
  return { state: 'done', result: { ...settled.result, ...(logged && { content: logged }) } };
}
