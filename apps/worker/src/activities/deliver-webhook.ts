import { ApplicationFailure, Context } from '@temporalio/activity';
import { markFailed, readDelivery, recordAttempt } from '@everturn/core/postgres';
import type { WebhookActivities } from '../contract/index.ts';
import { postSigned } from '../plugins/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { failingAs } from './failure.ts';
import { keepBeating } from './heartbeat.ts';
import { notificationOf } from './webhooks/notification.ts';

const TIMEOUT_MS = 30_000;
/** What a receiver answers is of no interest but for its status. */
const MAX_ANSWER_BYTES = 65_536;
const NO_KEY = 'its secret cannot be read: give EVERTURN_SECRETS_KEY the key it was stored with, besides any newer one';
/** A receiver that says this wants no more of it. */
const GONE = 410;

/** Tells subscriptions; a worker that dies after a receiver took something and before it is written tells it again. */
export function webhookActivities({ database, webhookFetch, secrets }: ActivityDeps): WebhookActivities {
  return {
    deliverWebhook: (key) =>
      failingAs(async () => {
        const found = await readDelivery(database, key);
        if (!found) throw notDelivered('its subscription is gone or switched off', 'for-good');
        const { delivery, url } = found;
        if (delivery.state === 'delivered') return;
        const secret = secrets.open(found.secret, found.webhook);
        if (secret === undefined) {
          await recordAttempt(database, key, { state: 'started', error: NO_KEY });
          throw notDelivered(NO_KEY, 'for-now');
        }
        const stopBeating = keepBeating(Context.current(), () => undefined);
        try {
          const posted = await postSigned({
            url,
            id: delivery.id,
            body: JSON.stringify(await notificationOf(database, key.tenant, delivery)),
            secret,
            timeoutMs: TIMEOUT_MS,
            maxAnswerBytes: MAX_ANSWER_BYTES,
            signal: Context.current().cancellationSignal,
            fetch: webhookFetch,
          });
          const error = errorOf(posted);
          const status = posted.kind === 'answered' ? { status: posted.status } : {};
          await recordAttempt(database, key, {
            state: error === undefined ? 'delivered' : 'started',
            ...status,
            ...(error !== undefined && { error }),
          });
          if (error !== undefined) throw notDelivered(error, status.status === GONE ? 'for-good' : 'for-now');
        } finally {
          stopBeating();
        }
      }),
    giveWebhookUp: (key) => failingAs(() => markFailed(database, key)),
  };
}

function errorOf(posted: Awaited<ReturnType<typeof postSigned>>): string | undefined {
  if (posted.kind === 'failed') return `the receiver ${posted.why}`;
  return posted.status >= 200 && posted.status < 300 ? undefined : `the receiver answered ${posted.status}`;
}

function notDelivered(why: string, lasts: 'for-now' | 'for-good'): ApplicationFailure {
  return ApplicationFailure.create({
    message: why,
    type: 'WEBHOOK_NOT_DELIVERED',
    nonRetryable: lasts === 'for-good',
  });
}
