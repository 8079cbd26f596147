import type { EpochHeader } from '@everturn/core/domain';
import type { ScriptAnswer, ScriptedModel } from '@everturn/core/providers';

let scripts = 0;

/** A header whose model gives this answer, and how often it was asked. */
export function headerAnswering(
  model: ScriptedModel,
  answer: ScriptAnswer,
): { header: EpochHeader; asked: () => number; requests: () => unknown[] } {
  scripts += 1;
  const name = `script-${scripts}`;
  model.script(name, [{ answer }]);
  const requests = () => model.requests.filter((request) => 'request' in request && request.request.model === name);
  return {
    header: { config: { provider: 'scripted', model: name }, system: 'be brief' },
    asked: () => requests().length,
    requests,
  };
}
