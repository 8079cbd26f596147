import { randomUUID } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import type { SessionEvent } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';

/** What the API answered. */
export interface Answer<T = Record<string, unknown>> {
  status: number;
  body: T;
  headers: Headers;
}

/** Speaks to a real API as a client would; survives its restarts, because every call is a request of its own. */
export class ApiClient {
  readonly #baseUrl: () => string;
  readonly #key: string;

  constructor(baseUrl: () => string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.#baseUrl()}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text === '' ? {} : JSON.parse(text)) as T,
      headers: response.headers,
    };
  }

  /** Posts a body that is no JSON. */
  async bring(path: string, body: Buffer | string, type: string): Promise<Omit<Answer, 'headers'>> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': type };
    const response = await fetch(`${this.#baseUrl()}${path}`, { method: 'POST', headers, body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** What a path answers, as it comes. */
  async fetch(path: string, init: { method?: string; body?: Buffer; type?: string } = {}): Promise<Response> {
    const { method = 'GET', body, type } = init;
    const headers = { authorization: `Bearer ${this.#key}`, ...(type !== undefined && { 'content-type': type }) };
    return fetch(`${this.#baseUrl()}${path}`, { method, headers, ...(body && { body: new Uint8Array(body) }) });
  }

  /** Creates a session and returns its id; a failure carries the problem body. */
  async create(options: Record<string, unknown> = {}): Promise<string> {
    const { status, body } = await this.call('POST', '/v1/sessions', options);
    if (status >= 300) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
    return String(body['id']);
  }

  /** Enqueues a prompt and returns its id. */
  async prompt(session: string, content: string, extra: Record<string, unknown> = {}): Promise<string> {
    const path = `/v1/sessions/${session}/prompts`;
    const { status, body } = await this.call('POST', path, { content, ...extra }, { 'idempotency-key': randomUUID() });
    if (status !== 202) throw new Error(`prompt answered ${status}: ${JSON.stringify(body)}`);
    return String(body['promptId'] ?? body['requestId']);
  }

  /** The whole log so far, page by page; `known` is how it began when it was asked for before. */
  async events(session: string, known: readonly SessionEvent[] = []): Promise<SessionEvent[]> {
    const events = [...known];
    for (;;) {
      const after = events.at(-1)?.seq ?? -1;
      const path = `/v1/sessions/${session}/events?after=${after}&limit=1000`;
      const { status, body } = await this.call<{ events: SessionEvent[]; head: number }>('GET', path);
      if (status !== 200) throw new Error(`events answered ${status}: ${JSON.stringify(body)}`);
      events.push(...body.events);
      if (body.events.length === 0 || (events.at(-1)?.seq ?? -1) >= body.head) return events;
    }
  }

  /** Waits until the log holds what is looked for, and returns it. */
  async until<T>(
    session: string,
    what: string,
    find: (events: SessionEvent[]) => T | undefined | false,
    timeoutMs = 120_000,
  ): Promise<T> {
    let log: SessionEvent[] = [];
    const asked = async () => find((log = await this.events(session, log)));
    return waitFor(asked, { what, timeoutMs, everyMs: 100 });
  }

  /** Waits for the n-th turn to end and returns the log. */
  async turnEnded(session: string, count = 1): Promise<SessionEvent[]> {
    return this.until(session, `turn ${count} of ${session} to end`, (events) =>
      events.filter(({ type }) => type === 'turn/end').length >= count ? events : undefined,
    );
  }

  /** Follows the log as server-sent events until `stop` says so; reconnects by the last id it saw. */
  async follow(session: string, stop: (events: SessionEvent[]) => boolean): Promise<SessionEvent[]> {
    const seen: SessionEvent[] = [];
    while (!stop(seen)) await this.#followOnce(session, seen, stop).catch(() => undefined);
    return seen;
  }

  async #followOnce(session: string, seen: SessionEvent[], stop: (events: SessionEvent[]) => boolean): Promise<void> {
    const abort = new AbortController();
    const last = seen.at(-1)?.seq;
    const response = await fetch(`${this.#baseUrl()}/v1/sessions/${session}/events`, {
      headers: {
        authorization: `Bearer ${this.#key}`,
        accept: 'text/event-stream',
        ...(last === undefined ? {} : { 'last-event-id': String(last) }),
      },
      signal: abort.signal,
    });
    const parser = createParser({
      onEvent(frame) {
        if (frame.id !== undefined) seen.push(JSON.parse(frame.data) as SessionEvent);
      },
    });
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      if (stop(seen)) return abort.abort();
    }
  }
}
