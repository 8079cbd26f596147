import type { ModelChoice } from '@everturn/core/domain';
import type { OfferedModels } from './model-routes.ts';

export type ModelFound =
  | { kind: 'asked' }
  | { kind: 'chosen'; choice: ModelChoice }
  | { kind: 'refused'; text: string };

/** The model a person named: `provider/model`, or `model` alone where a provider lists it or the usual one takes it. */
export function chosenModel(
  words: string,
  { offered, usual }: { offered: readonly OfferedModels[]; usual: string | undefined },
): ModelFound {
  if (words === '') return { kind: 'asked' };
  const slash = words.indexOf('/');
  const named = offered.find(({ provider }) => slash > 0 && provider === words.slice(0, slash));
  if (named) return choose(named, words.slice(slash + 1));
  const listing = offered.find(({ models }) => models.includes(words));
  const other = listing ?? offered.find(({ provider }) => provider === usual) ?? offered[0];
  if (other) return choose(other, words);
  return slash > 0
    ? { kind: 'chosen', choice: { provider: words.slice(0, slash), model: words.slice(slash + 1) } }
    : { kind: 'refused', text: 'no worker tells which models there are just now: name it as <provider>/<model>' };
}

function choose({ provider, models, unlisted }: OfferedModels, model: string): ModelFound {
  if (model !== '' && (unlisted === 'passed-through' || models.includes(model)))
    return { kind: 'chosen', choice: { provider, model } };
  return {
    kind: 'refused',
    text: `"${provider}" offers no model "${model}"; there are: ${models.join(', ') || '(none)'}`,
  };
}
