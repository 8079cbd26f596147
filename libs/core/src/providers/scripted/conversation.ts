import type { RequestView, StepView } from './request-view.ts';
import type { ScriptAnswer } from './script.ts';

/** Stops a conversation with a text that tells what was not as expected. */
export class Unexpected extends Error {}

/**
 * Writes a script as a story: it yields an answer and receives what came of it. The story holds no state; each
 * request tells it again from the start against the real results so far, and its next answer is the one given.
 */
export function conversation(
  tell: (request: RequestView) => Generator<ScriptAnswer, ScriptAnswer, StepView>,
): (request: RequestView) => ScriptAnswer {
  return (request) => {
    const story = tell(request);
    try {
      let next = story.next();
      for (const step of request.steps) {
        if (next.done) break;
        expectSameCalls(next.value, step);
        next = story.next(step);
      }
      return next.value;
    } catch (error) {
      if (error instanceof Unexpected) return { text: `This did not go as it should: ${error.message}` };
      throw error;
    }
  };
}

function expectSameCalls(told: ScriptAnswer, step: StepView): void {
  const expected = (told.toolCalls ?? []).map((call) => call.name).join(', ');
  const actual = step.calls.map((call) => call.tool).join(', ');
  if (expected !== actual)
    throw new Unexpected(`I called ${expected || 'nothing'}, the history says ${actual || 'nothing'}.`);
}
