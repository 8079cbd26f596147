import { assertNever, type JobId, type JsonValue, type TenantId } from '@everturn/core/domain';
import { listInteractions, readJob, readTurnEnd, type Database, type WebhookDelivery } from '@everturn/core/postgres';

/** What a receiver reads; the same at every try, because it is made of what does not change any more. */
export interface Notification {
  id: string;
  type: WebhookDelivery['event'];
  /** When it happened. */
  timestamp: string;
  data: Record<string, unknown>;
}

/** Tells what a delivery is about. */
export async function notificationOf(
  database: Database,
  tenant: TenantId,
  delivery: WebhookDelivery,
): Promise<Notification> {
  const { id, event, createdAt } = delivery;
  const data = { session: delivery.session, ...(await detailsOf(database, tenant, delivery)) };
  return { id, type: event, timestamp: createdAt.toISOString(), data };
}

async function detailsOf(
  database: Database,
  tenant: TenantId,
  { session, event, subject }: WebhookDelivery,
): Promise<Record<string, unknown>> {
  switch (event) {
    case 'turn.ended': {
      const turn = Number(subject);
      return { turn, reason: await readTurnEnd(database, { tenant, session, turn }) };
    }
    case 'approval.asked':
    case 'question.asked': {
      const found = (await listInteractions(database, { tenant, session })).find(({ id }) => id === subject);
      const { turn, step, callId, request } = found ?? {};
      return { interaction: subject, turn, step, callId, request: request as JsonValue | undefined };
    }
    case 'job.ended': {
      const job = await readJob(database, { tenant, session, job: subject as JobId });
      return { job: subject, kind: job?.kind, label: job?.label, state: job?.state, detail: job?.detail };
    }
    case 'session.closed':
      return {};
    default:
      return assertNever(event, 'event');
  }
}
