import type { ServerResponse } from 'node:http';
import { monotonicMs } from '../measure/clock.ts';
import { numberedArguments, type Plan, stamp } from './plan.ts';

/** Streams the plan's answer to the n-th request of a turn in the wire format of chat completions. */
export function writeAnswer(response: ServerResponse, plan: Plan, request: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  if (request <= plan.toolSteps && plan.tool) {
    const called = { name: plan.tool.name, arguments: JSON.stringify(numberedArguments(plan.tool, request)) };
    const call = { index: 0, id: `call_${request}`, type: 'function', function: called };
    response.end(frame({ tool_calls: [call] }) + lastFrames('tool_calls'));
  } else if (plan.everyMs === 0) {
    const texts = Array.from({ length: plan.chunks }, () => frame({ content: stamp(monotonicMs()) }));
    response.end(texts.join('') + lastFrames('stop'));
  } else pace(response, plan);
}

function pace(response: ServerResponse, { chunks, everyMs }: Plan): void {
  response.flushHeaders();
  let sent = 0;
  const timer = setInterval(() => {
    response.write(frame({ content: stamp(monotonicMs()) }));
    sent += 1;
    if (sent < chunks) return;
    clearInterval(timer);
    response.end(lastFrames('stop'));
  }, everyMs);
  response.once('close', () => clearInterval(timer));
}

const head = { id: 'bench', object: 'chat.completion.chunk', created: 0, model: 'bench' };
const data = (members: object) => `data: ${JSON.stringify({ ...head, ...members })}\n\n`;
const frame = (delta: object) =>
  data({ choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] });
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const lastFrames = (reason: string) =>
  `${data({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })}${data({ choices: [], usage })}data: [DONE]\n\n`;
