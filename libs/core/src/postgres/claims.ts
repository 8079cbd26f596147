import type { Generated } from 'kysely';
import type { JsonValue, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn, DerivedColumn } from './columns.ts';
import type { Database } from './database.ts';

/** `void`: it never started, and now cannot. `unknown`: it may have happened. */
export type ClaimState = 'claimed' | 'done' | 'unknown' | 'void';

/** The effects ledger: one row per effect, keyed by what it means. */
export interface ClaimTable {
  session_id: string;
  key: string;
  tenant: string;
  state: ClaimState;
  owner: string | null;
  epoch: Generated<number>;
  lease_until: Date | null;
  lapsed_seen_at: Date | null;
  host_id: string | null;
  host_epoch: number | null;
  cancel_cause: string | null;
  turn: number | null;
  step: number | null;
  label: Generated<string>;
  outcome: string | null;
  written: string | null;
  written_acks: DerivedColumn<[eid: string, seq: number, time: number][] | null>;
  created_at: ClockColumn;
  updated_at: ClockColumn;
}

/** One effect as readers of the ledger see it. */
export interface EffectRow {
  key: string;
  state: ClaimState;
  /** What it is, for people: the tool's or model's name. */
  label: string;
  /** How many holders it has had. */
  epoch: number;
  turn?: number;
  step?: number;
  host?: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface ListEffectsInput {
  tenant: TenantId;
  session: SessionId;
  state?: ClaimState;
  limit: number;
  /** Continue after this key's row. */
  after?: { createdAt: Date; key: string };
}

/** The effects of a session in order of their start. */
export async function listEffects(database: Database, input: ListEffectsInput): Promise<EffectRow[]> {
  const { tenant, session, state, limit, after } = input;
  let query = database
    .selectFrom('claims')
    .select(['key', 'state', 'label', 'epoch', 'turn', 'step', 'host_id', 'created_at', 'updated_at'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session);
  if (state !== undefined) query = query.where('state', '=', state);
  if (after !== undefined)
    query = query.where((row) => row(row.refTuple('created_at', 'key'), '>', row.tuple(after.createdAt, after.key)));
  const rows = await query.orderBy('created_at').orderBy('key').limit(limit).execute();
  return rows.map((row) => ({
    key: row.key,
    state: row.state,
    label: row.label,
    epoch: row.epoch,
    ...(row.turn !== null && { turn: row.turn }),
    ...(row.step !== null && { step: row.step }),
    ...(row.host_id !== null && { host: row.host_id }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

/** The recorded outcome of one effect, or `undefined` while it has none. */
export async function readOutcome(
  database: Database,
  { tenant, session, key }: { tenant: TenantId; session: SessionId; key: string },
): Promise<JsonValue | undefined> {
  const row = await database
    .selectFrom('claims')
    .select('outcome')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.outcome == null ? undefined : (JSON.parse(row.outcome) as JsonValue);
}

/** The recorded outcomes of several effects by key; those without one are left out. */
export async function readOutcomes(
  database: Database,
  { tenant, session, keys }: { tenant: TenantId; session: SessionId; keys: readonly string[] },
): Promise<Map<string, JsonValue>> {
  if (keys.length === 0) return new Map();
  const rows = await database
    .selectFrom('claims')
    .select(['key', 'outcome'])
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .where('key', 'in', keys)
    .where('outcome', 'is not', null)
    .execute();
  return new Map(rows.map(({ key, outcome }) => [key, JSON.parse(outcome as string) as JsonValue]));
}
