import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionEvent } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import type { Answer, ApiClient } from '../support/api-client.ts';

export interface Asked {
  method?: 'POST' | 'GET';
  path: string;
  body?: unknown;
  /** Refusals that are answers to the caller, and not failures. */
  refusals?: readonly string[];
}

/** Asks until somebody answers, always the same request; throws what is neither a success nor an outage. */
export async function insist(api: ApiClient, { method = 'POST', path, body, refusals = [] }: Asked): Promise<Answer> {
  const headers = { 'idempotency-key': randomUUID() };
  for (;;) {
    const answer = await api.call(method, path, body, headers).catch(() => undefined); // the API is down
    if (answer && answer.status !== 503) {
      if (answer.status < 300 || refusals.includes(String(answer.body['code']))) return answer;
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    await pause(100);
  }
}

/** Reads a whole log, page by page, from the beginning again where the API is killed in between. */
export function readLog(api: ApiClient, session: string): Promise<SessionEvent[]> {
  return waitFor(() => api.events(session), { what: `the log of ${session}`, timeoutMs: 60_000, everyMs: 100 });
}
