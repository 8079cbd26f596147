import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { deltasOf, finishOf, usageOf, wholeMessage } from './frames.ts';
import type { Gates } from './gates.ts';
import type { RequestView } from './request-view.ts';
import type { Fault, ScriptAnswer } from './script.ts';

type StreamFault = Extract<Fault, { kind: 'stall' | 'keep-alive-only' | 'cut' | 'no-done' | 'split-utf8' }>;

/** Whether the waits between deltas that scripts ask for are kept. */
export type Pace = 'scripted' | 'instant';

interface AnswerToWrite {
  answer: ScriptAnswer;
  request: RequestView;
  response: ServerResponse;
  gates: Gates;
  /** Raised when the client is gone. */
  signal: AbortSignal;
  pace: Pace;
}

/** Writes an answer in one piece. */
export function writeWhole({ answer, request, response }: AnswerToWrite): void {
  const choices = [{ index: 0, message: wholeMessage(answer), finish_reason: finishOf(answer) ?? null }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...envelope(request, 'chat.completion'), choices, usage: usageOf(answer, request) }));
}

/** Streams an answer, and the fault in it if there is one. Returns when the client has it or is gone. */
export async function writeStream(input: AnswerToWrite & { fault: StreamFault | undefined }): Promise<void> {
  const { answer, request, response, gates, signal, fault } = input;
  const send = async (data: string) => {
    for (const packet of packetsOf(`data: ${data}\n\n`, fault)) {
      if (!response.write(packet)) await once(response, 'drain', { signal });
      if (fault?.kind === 'split-utf8') await setImmediate(undefined, { signal });
    }
  };
  const frame = (members: object) =>
    send(JSON.stringify({ ...envelope(request, 'chat.completion.chunk'), ...members }));
  const hold = typeof answer.hold === 'object' ? answer.hold : undefined;

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const deltas = deltasOf(answer);
  for (const [n, delta] of [...deltas, undefined].entries()) {
    if (hold?.afterDeltas === Math.min(n, deltas.length)) await untilReleased(gates, hold.gate, signal);
    if (fault && 'afterDeltas' in fault && fault.afterDeltas <= n) return breakOff(fault, response, signal);
    if (!delta) break;
    const first = n === 0 ? { role: 'assistant' } : {};
    await frame({ choices: [{ index: 0, delta: { ...first, ...delta }, finish_reason: null }] });
    if (input.pace === 'scripted') await pause(answer.chunkDelayMs, signal);
  }
  const reason = finishOf(answer);
  if (reason) await frame({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
  const usage = request.body.stream_options?.include_usage ? usageOf(answer, request) : undefined;
  if (usage) await frame({ choices: [], usage });
  if (fault?.kind !== 'no-done') await send('[DONE]');
  response.end();
}

/** Waits at a gate, or until the client is gone. */
export async function untilReleased(gates: Gates, gate: string, signal: AbortSignal): Promise<void> {
  const gone = Promise.withResolvers<never>();
  const onAbort = () => gone.reject(new Error('the client is gone'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.race([gates.pass(gate), gone.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function breakOff(fault: StreamFault, response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (fault.kind === 'cut') {
    response.socket?.destroySoon();
    return;
  }
  const everyMs = fault.kind === 'keep-alive-only' ? (fault.everyMs ?? 1000) : 60_000;
  while (!signal.aborted) {
    if (fault.kind === 'keep-alive-only') response.write(': keep-alive\n\n');
    await delay(everyMs, undefined, { signal });
  }
}

function packetsOf(text: string, fault: StreamFault | undefined): Buffer[] {
  const bytes = Buffer.from(text);
  return fault?.kind === 'split-utf8' ? Array.from(bytes, (byte) => Buffer.of(byte)) : [bytes];
}

async function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (ms) await delay(ms, undefined, { signal });
}

function envelope(request: RequestView, object: string): object {
  return {
    id: `scripted-${request.messages.length}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model: request.model,
  };
}
