import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pace } from './answer-writer.ts';
import { complete } from './completions.ts';
import type { RecordedRequest, ScriptedState } from './completions.ts';
import { control } from './control.ts';
import { Gates } from './gates.ts';
import { refuse } from './refuse.ts';
import type { Script } from './script.ts';
import { shippedScripts } from './scripts/index.ts';

/** A running scripted model: a real HTTP server with the OpenAI wire format, answering from scripts. */
export interface ScriptedModel {
  /** The base URL for clients, ending in `/v1`. */
  url: string;
  port: number;
  /** Every request so far, in order of arrival. */
  requests: readonly RecordedRequest[];
  /** Sets what answers under a model name, from the next request on. */
  script(name: string, script: Script): void;
  /** Settles once an answer waits at the gate. */
  held(gate: string): Promise<void>;
  /** Opens a gate for good. */
  release(gate: string): void;
  /** Breaks off what is open and stops listening. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a scripted model on this machine; port 0 or none = any free one; pace `instant` skips scripted waits. Rejects when the port is taken. */
export async function startScriptedModel(
  input: { scripts?: Record<string, Script>; port?: number; pace?: Pace } = {},
): Promise<ScriptedModel> {
  const state: ScriptedState = {
    scripts: new Map([...shippedScripts(), ...Object.entries(input.scripts ?? {})]),
    gates: new Gates(),
    requests: [],
    pace: input.pace ?? 'scripted',
    faults: new Map(),
  };
  const server = createServer((request, response) => void serve(state, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(input.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests: state.requests,
    script: (name, script) => void state.scripts.set(name, script),
    held: (gate) => state.gates.held(gate),
    release: (gate) => state.gates.release(gate),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function serve(state: ScriptedState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const bytes = Buffer.concat(await request.toArray());
    const path = (request.url ?? '').split('?')[0]?.replace(/^\/v1(?=\/)/, '') ?? '';
    const route = `${request.method} ${path}`;
    if (route === 'POST /chat/completions') {
      await complete(state, { bytes, headers: request.headers, response, signal: gone.signal });
    } else if (route === 'GET /models') {
      const data = [...state.scripts.keys()].map((id) => ({ id, object: 'model', created: 0, owned_by: 'scripted' }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
    } else {
      await control(state, { route, bytes, response });
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    const message = `the script failed: ${error instanceof Error ? error.message : String(error)}`;
    if (response.headersSent) response.destroy();
    else refuse(response, { status: 500, message });
  }
}
