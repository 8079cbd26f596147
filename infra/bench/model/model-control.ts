import type { Plan, SeenRequest } from './plan.ts';

/** Plans the bench's model, and asks it what it has seen. */
export class ModelControl {
  readonly #url: string;

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}`;
  }

  /** The base URL for clients of the model. */
  get providerUrl(): string {
    return `${this.#url}/v1`;
  }

  /** Says how sessions are answered from their next request on. */
  async plan(ids: readonly string[], plan: Plan): Promise<void> {
    await this.#ask('/control/plan', { ids, plan });
  }

  /** Every request of a session so far. */
  async seen(session: string): Promise<SeenRequest[]> {
    return (await this.#ask(`/control/seen?session=${session}`)) as SeenRequest[];
  }

  /** Lets the answer that a session waits for go. */
  async release(session: string): Promise<void> {
    await this.#ask(`/control/release?session=${session}`, {});
  }

  async #ask(path: string, body?: unknown): Promise<unknown> {
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(this.#url + path, request);
    if (!response.ok) throw new Error(`the bench's model answered ${response.status} to ${path}`);
    return response.json();
  }
}
