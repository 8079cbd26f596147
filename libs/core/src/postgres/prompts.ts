import { sql, type GeneratedAlways } from 'kysely';
import { canonicalJson } from '../domain/index.ts';
import type { MessageEntry, RequestId, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

export type PromptState = 'accepted' | 'queued' | 'claimed' | 'done' | 'discarded';
export type PromptMode = 'send' | 'steer' | 'inject';

/** Messages accepted from callers, written before anything is sent to a workflow. */
export interface PromptTable {
  session_id: string;
  prompt_id: string;
  tenant: string;
  position: GeneratedAlways<number>;
  mode: PromptMode;
  state: PromptState | undefined;
  entry: string;
  turn: number | null;
  created_at: ClockColumn;
  updated_at: ClockColumn;
}

export interface Prompt {
  promptId: RequestId;
  mode: PromptMode;
  state: PromptState;
  entry: MessageEntry;
  /** The turn that claimed it. */
  turn?: number;
  createdAt: Date;
}

export interface AcceptPromptInput {
  tenant: TenantId;
  session: SessionId;
  mode: PromptMode;
  entry: MessageEntry;
}

/** Keeps a message before it is sent to its session; keeping it again changes nothing. */
export async function acceptPrompt(
  database: Database,
  { tenant, session, mode, entry }: AcceptPromptInput,
): Promise<void> {
  await database
    .insertInto('prompts')
    .values({
      tenant,
      session_id: session,
      prompt_id: entry.requestId,
      mode,
      state: 'accepted',
      entry: canonicalJson(entry),
      turn: null,
    })
    .onConflict((conflict) => conflict.columns(['session_id', 'prompt_id']).doNothing())
    .execute();
}

interface SessionKey {
  tenant: TenantId;
  session: SessionId;
}

/** One message and how far it came, or `undefined` when the session was never sent it. */
export async function readPrompt(
  database: Database,
  { tenant, session, promptId }: SessionKey & { promptId: RequestId },
): Promise<Prompt | undefined> {
  const row = await select(database, { tenant, session }).where('prompt_id', '=', promptId).executeTakeFirst();
  return row && toPrompt(row);
}

/** Messages that no turn has claimed yet, in order of acceptance. */
export async function unclaimedPrompts(database: Database, key: SessionKey): Promise<Prompt[]> {
  const rows = await select(database, key).where('state', 'in', ['accepted', 'queued']).orderBy('position').execute();
  return rows.map(toPrompt);
}

/** More cancels than this do not come while one log is being opened. */
const CANCELS_BEFORE = 5;

/**
 * The same, and those whose turn died before it let them in: a row says who took a message, the log what came of it.
 * `cancels`: the last that were asked for before a message was accepted.
 */
export async function unwrittenPrompts(
  database: Database,
  key: SessionKey,
): Promise<(Prompt & { cancels: RequestId[] })[]> {
  const rows = await select(database, key)
    .select(
      sql<RequestId[]>`array(
        select r.request_id from sent_requests r
        where r.tenant = prompts.tenant and r.session_id = prompts.session_id
          and r.kind in ('cancel', 'interrupt') and r.created_at < prompts.created_at
        order by r.created_at desc limit ${CANCELS_BEFORE})`.as('cancels'),
    )
    .where(
      sql<boolean>`(state in ('accepted', 'queued') or (state = 'claimed' and not exists (
        select from session_events e
        where e.tenant = prompts.tenant and e.session_id = prompts.session_id and e.turn = prompts.turn
          and e.type in ('user/message', 'prompt/blocked')
          and e.seq > (select b.seq from session_events b
            where b.tenant = prompts.tenant and b.session_id = prompts.session_id
              and b.turn = prompts.turn and b.type = 'turn/start' limit 1))))`,
    )
    .orderBy('position')
    .execute();
  return rows.map(({ cancels, ...row }) => ({ ...toPrompt(row), cancels }));
}

/** Messages a turn took, in order of acceptance. */
export async function promptsOfTurn(
  database: Database,
  { turn, ...key }: SessionKey & { turn: number },
): Promise<Prompt[]> {
  const rows = await select(database, key)
    .where('turn', '=', turn)
    .where('state', 'in', ['claimed', 'done'])
    .orderBy('position')
    .execute();
  return rows.map(toPrompt);
}

function select(database: Database, { tenant, session }: SessionKey) {
  return database
    .selectFrom('prompts')
    .select(['prompt_id', 'mode', 'state', 'entry', 'turn', 'created_at'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session);
}

type PromptRow = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

function toPrompt(row: PromptRow): Prompt {
  return {
    promptId: row.prompt_id as RequestId,
    mode: row.mode,
    state: row.state as PromptState,
    entry: JSON.parse(row.entry) as MessageEntry,
    ...(row.turn !== null && { turn: row.turn }),
    createdAt: row.created_at,
  };
}
