import { parseArguments, text, type JsonValue } from '@everturn/core/domain';
import type { AskModel } from '@everturn/tools/kit';
import type { ActivityDeps } from '../activity-deps.ts';
import { callRoute } from '../images/call-route.ts';
import { collectAnswer, type Answer } from '../streaming/collect-answer.ts';
import { wrappedSource } from '../streaming/wrapped-source.ts';
import type { CallPlace } from './call-place.ts';

const ANSWER = 'answer';

/** Puts a tool's own question to the session's model, beside the conversation: one attempt, nothing of it in the log. */
export function askModel(deps: ActivityDeps, input: CallPlace): AskModel {
  return async ({ system, prompt, schema, signal }) => {
    const route = await callRoute(deps, input);
    if (!route) throw new Error('it cannot be told which model to ask');
    const { tenant, session, turn, step } = input;
    const answer = await collectAnswer({
      source: wrappedSource(deps.llm, {
        listeners: deps.registry.view(input).listeners('llm/stream'),
        context: { initiator: { tenant, session, turn, step }, signal },
        limitMs: deps.listenerTimeoutMs,
      }),
      options: {
        provider: route.provider,
        model: route.model,
        ...(system !== undefined && { system }),
        messages: [{ role: 'user', content: [text(prompt)] }],
        // Every provider checks a call against its schema, and not every one an answer.
        tools: [{ name: ANSWER, description: 'Gives the answer. Call it exactly once.', parameters: schema }],
        tenant,
        sessionId: session,
        signal,
      },
      onChunk: () => undefined,
    });
    return valueOf(answer);
  };
}

function valueOf(answer: Answer): JsonValue {
  if (answer.kind === 'interrupted') throw new Error('the model was interrupted');
  if (answer.kind === 'failure') throw new Error(`the model could not answer: ${answer.failure.message}`);
  const called = answer.content.find((block) => block.type === 'tool-call' && block.name === ANSWER);
  if (called?.type === 'tool-call') return parseArguments(called.arguments);
  const said = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  try {
    return JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)) as JsonValue;
  } catch {
    throw new Error('the model answered with no JSON');
  }
}
