import type { RequestView } from './request-view.ts';
import type { Condition, Script, ScriptAnswer } from './script.ts';

/** What a script answers, or `undefined` when none of its rules fits. */
export function chooseAnswer(script: Script, request: RequestView): ScriptAnswer | undefined {
  if (typeof script === 'function') return script(request);
  return script.find((rule) => holds(rule.when ?? {}, request))?.answer;
}

function holds(when: Condition, request: RequestView): boolean {
  const results = request.results.filter((result) => !when.toolResultOf || result.tool === when.toolResultOf);
  return (
    (when.step === undefined || when.step === request.steps.length + 1) &&
    (when.purpose === undefined || when.purpose === request.purpose) &&
    (when.lastUserMatches === undefined || new RegExp(when.lastUserMatches).test(request.lastUser)) &&
    (when.toolResultOf === undefined || results.length > 0) &&
    (when.matches === undefined || results.some((result) => new RegExp(when.matches ?? '').test(result.content)))
  );
}
