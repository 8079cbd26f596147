import { createHmac } from 'node:crypto';

/** Secrets of this form hold their key in base64. */
const ENCODED = 'whsec_';

export interface SignInput {
  /** Names what is delivered, the same at every try. */
  id: string;
  /** Epoch ms. */
  now: number;
  /** The bytes that are sent. */
  body: string;
  secret: string;
}

/**
 * The headers by which a receiver knows who sent a body and when, as Standard Webhooks has them: HMAC-SHA256 over
 * `<id>.<timestamp>.<body>`. A receiver should refuse a timestamp (in seconds) more than five minutes away.
 */
export function signDelivery({ id, now, body, secret }: SignInput): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const keyOf = (secret: string): Buffer =>
  secret.startsWith(ENCODED) ? Buffer.from(secret.slice(ENCODED.length), 'base64') : Buffer.from(secret);
