import type { CallId, JsonValue, SessionId, TenantId } from '../domain/index.ts';
import type { ClockColumn } from './columns.ts';
import type { Database } from './database.ts';

/** Approvals and questions, and who waits for the answer. */
export interface InteractionTable {
  session_id: string;
  id: string;
  tenant: string;
  kind: 'approval' | 'question';
  state: 'open' | 'answered' | 'cancelled';
  turn: number;
  step: number;
  /** Canonical JSON of the call's id. */
  call_id: string | null;
  answer_to: string;
  request: string;
  outcome: string | null;
  created_at: ClockColumn;
  updated_at: ClockColumn;
}

export interface Interaction {
  session: SessionId;
  id: string;
  kind: 'approval' | 'question';
  state: 'open' | 'answered' | 'cancelled';
  turn: number;
  step: number;
  callId?: CallId;
  /** The workflow that waits and takes the answer. */
  answerTo: string;
  request: JsonValue;
  outcome?: JsonValue;
  createdAt: Date;
}

export interface ListInteractionsInput {
  tenant: TenantId;
  session?: SessionId;
  state?: Interaction['state'];
}

/** Interactions of a tenant or of one of its sessions, oldest first. */
export async function listInteractions(database: Database, input: ListInteractionsInput): Promise<Interaction[]> {
  let query = database.selectFrom('interactions').selectAll().where('tenant', '=', input.tenant);
  if (input.session !== undefined) query = query.where('session_id', '=', input.session);
  if (input.state !== undefined) query = query.where('state', '=', input.state);
  const rows = await query.orderBy('created_at').execute();
  return rows.map((row) => ({
    session: row.session_id as SessionId,
    id: row.id,
    kind: row.kind,
    state: row.state,
    turn: row.turn,
    step: row.step,
    ...(row.call_id !== null && { callId: JSON.parse(row.call_id) as CallId }),
    answerTo: row.answer_to,
    request: JSON.parse(row.request) as JsonValue,
    ...(row.outcome !== null && { outcome: JSON.parse(row.outcome) as JsonValue }),
    createdAt: row.created_at,
  }));
}
