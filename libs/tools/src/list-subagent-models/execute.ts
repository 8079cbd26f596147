import { refuseProvider, refuseRoute, text } from '@everturn/core/domain';
import { implementTool, type ModelsPort } from '../kit/index.ts';
import { listSubagentModels } from './schema.ts';

/** Tells what the session's policy allows of what there is. */
export const executeListSubagentModels = implementTool(listSubagentModels, async ({ provider, model }, { models }) => {
  for (const [name, value] of Object.entries({ provider, model }))
    if (value?.trim() === '') throw new Error(`invalid ${name}: expected a non-empty string`);
  if (model !== undefined && provider === undefined) throw new Error('model is given together with provider');
  const allowed = await models?.allowed();
  if (!models || !allowed)
    throw new Error('agents have the model of this session: it has no policy that allows others');
  const there = models.providers();
  if (provider === undefined) {
    const offered = there.filter(({ id }) => allowed.some((route) => route.provider === id));
    const lines = offered.map(({ id, name }) => `${id} — ${name}`);
    return { content: [text(lines.join('\n') || '(no LLM providers)')] };
  }
  const refusal =
    refuseProvider({ provider, allowed, providers: there.map(({ id }) => id) }) ??
    (model === undefined ? undefined : refuseRoute({ provider, model }, allowed));
  if (refusal !== undefined) throw new Error(refusal);
  const shown = model === undefined ? allowed.filter((route) => route.provider === provider) : [{ provider, model }];
  const lines = await modelLines(
    models,
    provider,
    shown.map((route) => route.model),
  );
  return {
    content: [
      text((model === undefined ? lines : [...lines, ...effortLines(models.efforts(provider), model)]).join('\n')),
    ],
  };
});

/** What a provider advertises of models that are allowed; others are legal, but nobody says more of them. */
async function modelLines(models: ModelsPort, provider: string, allowed: readonly string[]): Promise<string[]> {
  const known = new Map((await models.advertised(provider)).map((info) => [info.id, info]));
  return allowed.map((id) => {
    const { name = id, description } = known.get(id) ?? {};
    return `${provider}/${id} — ${name}${description ? `: ${description}` : ''}`;
  });
}

/** What the provider's models can be asked for; which of it a model has by itself nobody says. */
function effortLines(efforts: readonly string[], model: string): string[] {
  if (efforts.length === 0) return [`(no advertised reasoning efforts for ${model})`];
  return ['Reasoning efforts:', ...efforts.map((id) => `${id} — ${id.charAt(0).toUpperCase()}${id.slice(1)}`)];
}
