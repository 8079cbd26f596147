import { randomUUID } from 'node:crypto';

/** Speaks to the API as a client of the product would. */
export class ApiClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${key}` };
  }

  /** Creates a session under the caller's id. */
  async createSession(id: string, options: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#ask('POST', '/v1/sessions', { id, ...options });
  }

  /** Enqueues a prompt; resolves when it is accepted. */
  async prompt(session: string): Promise<void> {
    await this.#ask('POST', `/v1/sessions/${session}/prompts`, { content: 'go on' });
  }

  /** Enqueues a prompt and resolves when its turn has completed; throws when it ended otherwise. */
  async runTurn(session: string): Promise<void> {
    const key = randomUUID();
    for (;;) {
      // The same key is the same prompt: asked again only because a request waits a minute at most.
      const path = `/v1/sessions/${session}/prompts?wait=60`;
      const receipt = await this.#ask('POST', path, { content: 'go on' }, { 'idempotency-key': key });
      if (receipt['state'] === 'ended') return requireCompleted(session, receipt['end']);
      if (receipt['state'] === 'discarded') throw new Error(`a prompt of session ${session} was discarded`);
    }
  }

  /** Stops the running turn; resolves when the request is accepted. */
  async cancel(session: string): Promise<void> {
    await this.#ask('POST', `/v1/sessions/${session}/cancel`);
  }

  /** Opens the session's event stream, from its beginning. */
  async openStream(session: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const headers = { ...this.#headers, accept: 'text/event-stream' };
    const response = await fetch(`${this.#url}/v1/sessions/${session}/events`, { headers, signal });
    if (!response.ok || !response.body) throw new Error(`the event stream answered ${response.status}`);
    return response.body;
  }

  async #ask(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...this.#headers, ...type, ...more };
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(this.#url + path, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }
}

function requireCompleted(session: string, end: unknown): void {
  if ((end as { kind?: string } | undefined)?.kind === 'completed') return;
  throw new Error(`a turn of session ${session} ended with ${JSON.stringify(end)}: the measurement would be of that`);
}
