import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import type { Stack } from './stack.ts';

/** Sets what answers under a model name, and returns the session options that use it. */
export function scripted(
  stack: Stack,
  name: string,
  script: (request: RequestView) => ScriptAnswer,
): { provider: string; model: string; workspace: string } {
  stack.model.script(name, script);
  return { provider: 'scripted', model: name, workspace: stack.workspace };
}

/** A script that makes these calls in its first step and says `done` after their results, and to any later prompt. */
export function callsThenDone(...toolCalls: NonNullable<ScriptAnswer['toolCalls']>) {
  return (request: RequestView): ScriptAnswer =>
    request.messages.some((message) => message.role === 'assistant') ? { text: 'done' } : { toolCalls };
}

/** A bash call. */
export function bash(command: string, timeoutMs?: number) {
  const description = command.slice(0, 40);
  return { name: 'bash', arguments: { command, description, ...(timeoutMs !== undefined && { timeoutMs }) } };
}

/** How often the model was asked, refusals included. */
export function requestsTo(stack: Stack, name: string): number {
  return stack.model.requests.filter((request) => JSON.stringify(request).includes(`"model":"${name}"`)).length;
}
