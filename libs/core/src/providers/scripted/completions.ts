import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { untilReleased, writeStream, writeWhole } from './answer-writer.ts';
import type { Pace } from './answer-writer.ts';
import { chooseAnswer } from './choose-answer.ts';
import { withCallIds } from './frames.ts';
import type { Gates } from './gates.ts';
import { refuse, replacesAnswer, writeFault } from './refuse.ts';
import { requestView } from './request-view.ts';
import type { RequestView } from './request-view.ts';
import { Fault } from './script.ts';
import type { Script, ScriptAnswer } from './script.ts';
import { validateRequest } from './validate-request.ts';

/** A request as it is kept for tests: as a script sees it, or why it was refused. */
export type RecordedRequest =
  | { outcome: 'answered'; request: RequestView; answer: ScriptAnswer }
  | { outcome: 'refused'; refusal: string };

/** What all requests of one server share. */
export interface ScriptedState {
  scripts: Map<string, Script>;
  gates: Gates;
  requests: RecordedRequest[];
  pace: Pace;
  /** How often a conversation met the fault of one point. */
  faults: Map<string, number>;
}

/** Answers one `POST /chat/completions`. */
export async function complete(
  state: ScriptedState,
  input: { bytes: Uint8Array; headers: IncomingHttpHeaders; response: ServerResponse; signal: AbortSignal },
): Promise<void> {
  const { response, signal } = input;
  const valid = validateRequest(input.bytes);
  if ('refusal' in valid) return turnDown(state, response, { status: 400, message: valid.refusal });
  const request = requestView(valid.request, input.headers);
  const script = state.scripts.get(request.model);
  if (!script) {
    const message = `there is no script "${request.model}"; there are ${[...state.scripts.keys()].join(', ')}`;
    return turnDown(state, response, { status: 404, message, code: 'model_not_found' });
  }
  const chosen = chooseAnswer(script, request);
  if (!chosen) return turnDown(state, response, { status: 400, message: `no rule of "${request.model}" fits` });
  const answer = withCallIds(chosen, request);
  state.requests.push({ outcome: 'answered', request, answer });
  if (typeof answer.hold === 'string') await untilReleased(state.gates, answer.hold, signal);
  const fault = dueFault(state, request, answer);
  if (fault && replacesAnswer(fault)) return writeFault(fault, response);
  const toWrite = { answer, request, response, gates: state.gates, signal, pace: state.pace };
  if (request.body.stream) return writeStream({ ...toWrite, fault });
  writeWhole(toWrite);
}

function turnDown(
  state: ScriptedState,
  response: ServerResponse,
  input: { status: number; message: string; code?: string },
): void {
  state.requests.push({ outcome: 'refused', refusal: input.message });
  refuse(response, input);
}

function dueFault(state: ScriptedState, request: RequestView, answer: ScriptAnswer): Fault | undefined {
  if (!answer.fault) return undefined;
  const point = [request.sessionId, request.model, request.messages.length, request.lastUser].join('\n');
  const met = (state.faults.get(point) ?? 0) + 1;
  state.faults.set(point, met);
  return met <= (answer.faultTimes ?? Number.POSITIVE_INFINITY) ? Fault.parse(answer.fault) : undefined;
}
