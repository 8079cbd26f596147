import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ApiRefusal, CliError } from './cli-error.ts';
import type { Settings } from './settings.ts';

const Problem = z.object({ code: z.string(), message: z.string() });

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with `/v1/`. */
  path: string;
  query?: Record<string, string | undefined>;
  body?: unknown;
  /** Makes a request that changes something safe to send again; without it such a request is sent once. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

interface StreamRequest extends ApiRequest {
  accept: string;
  lastEventId?: string;
}

/** How long a request is repeated while the API is away, in ms: a restart of it takes a few seconds. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 300;

/** Speaks to the API with this user's key. Refusals are thrown as {@link ApiRefusal}. */
export class ApiClient {
  readonly url: string;
  readonly #key: string | undefined;
  readonly #patienceMs: number;
  /** An API that never answered is not being restarted: it is not there. */
  #reached = false;

  constructor({ apiUrl, apiKey }: Pick<Settings, 'apiUrl' | 'apiKey'>, patienceMs = PATIENCE_MS) {
    this.url = apiUrl;
    this.#key = apiKey?.reveal();
    this.#patienceMs = patienceMs;
  }

  /** Asks and answers the JSON body; repeats what is safe to repeat while the API cannot be reached. */
  async json<T>(request: ApiRequest, schema: z.ZodType<T>): Promise<T> {
    const response = await this.#patiently(request);
    const body: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new CliError({
      code: 'CLI_BAD_ANSWER',
      what: `${this.url}${request.path} answered something unexpected: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`,
      remedy: 'check that EVERTURN_API_URL names an Everturn API of this version',
    });
  }

  /** Opens a response to read piece by piece; one attempt. */
  async open({ accept, lastEventId, ...request }: StreamRequest): Promise<Response> {
    return this.#send(request, { accept, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) });
  }

  async #patiently(request: ApiRequest): Promise<Response> {
    const repeatable = (request.method ?? 'GET') === 'GET' || request.idempotencyKey !== undefined;
    const deadline = Date.now() + this.#patienceMs;
    for (;;) {
      try {
        return await this.#send(request, { accept: 'application/json' });
      } catch (error) {
        if (!repeatable || !this.#reached || !isOutage(error) || Date.now() > deadline) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  async #send(request: ApiRequest, headers: Record<string, string>): Promise<Response> {
    if (this.#key === undefined) throw noKey();
    const { method = 'GET', path, query = {}, body, idempotencyKey, signal } = request;
    const url = new URL(path, `${this.url}/`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const init: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    };
    const response = await fetch(url, init).catch((cause: unknown) => {
      throw signal?.aborted ? cause : unreachable(this.url, cause);
    });
    this.#reached = true;
    if (response.ok) return response;
    throw await refusal(response);
  }
}

/** Whether the same request may succeed a little later: nobody listens, or the API says it cannot just now. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ApiRefusal) return error.status === 503 || error.status === 502 || error.status === 504;
  return error instanceof CliError && error.code === 'CLI_UNREACHABLE';
}

async function refusal(response: Response): Promise<ApiRefusal> {
  const text = await response.text().catch(() => '');
  const problem = Problem.safeParse(parseJson(text));
  if (problem.success) return new ApiRefusal({ ...problem.data, status: response.status });
  return new ApiRefusal({
    code: `HTTP_${response.status}`,
    message: `${response.url} answered ${response.status} ${text.slice(0, 200)} → check that EVERTURN_API_URL names an Everturn API`,
    status: response.status,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(url: string, cause: unknown): CliError {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  return new CliError({
    code: 'CLI_UNREACHABLE',
    what: `no API answers at ${url}${reason ? ` (${reason})` : ''}`,
    remedy: 'start everything with `npm run up`, or set EVERTURN_API_URL',
    cause,
  });
}

function noKey(): CliError {
  return new CliError({
    code: 'CLI_NOT_CONFIGURED',
    what: 'no API key is set',
    remedy: 'make one with `npm run everturn -- keys create --tenant <tenant>` and set EVERTURN_API_KEY',
  });
}
