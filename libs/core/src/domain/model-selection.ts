import { z } from 'zod';
import { registerEvent } from './event-registry.ts';

/** One model of one provider. */
export const ModelRoute = z.strictObject({ provider: z.string().min(1), model: z.string().min(1) });
export type ModelRoute = z.infer<typeof ModelRoute>;

const same = (a: ModelRoute, b: ModelRoute): boolean => a.provider === b.provider && a.model === b.model;

/** Models, each once. */
export const ModelRoutes = z
  .array(ModelRoute)
  .max(200)
  .refine((routes) => routes.every((route, at) => routes.findIndex((other) => same(other, route)) === at), 'each once');

/** The models a session's model may choose from for the agents it starts. */
export const AllowedModels = ModelRoutes.min(1);
export type AllowedModels = z.infer<typeof AllowedModels>;

declare module './events.ts' {
  interface SessionEventMap {
    /** Written once, in the first turn; a session without it lets no model choose. */
    'subagent/model-selection-policy': { allowedModels: ModelRoute[] };
  }
}

registerEvent('subagent/model-selection-policy', { schema: z.strictObject({ allowedModels: AllowedModels }) });

/** What a call asks for an agent, as it stands in its arguments. */
export interface ModelWish {
  provider?: string | undefined;
  model?: string | undefined;
  reasoningEffort?: string | undefined;
}

/** Whether a wish asks for anything. */
export const isModelWish = ({ provider, model, reasoningEffort }: ModelWish): boolean =>
  provider !== undefined || model !== undefined || reasoningEffort !== undefined;

export interface JudgeWishInput {
  wish: ModelWish;
  /** Whether the tool lets models choose. */
  enabled: boolean;
  /** Absent in a session whose model may not choose. */
  allowed: readonly ModelRoute[] | undefined;
  /** Ids of the providers there are. */
  providers: readonly string[];
  efforts: readonly string[];
}

/** Why a wish cannot be granted, if it cannot. What is inherited is no wish, so nobody judges it. */
export function judgeModelWish({ wish, enabled, allowed, providers, efforts }: JudgeWishInput): string | undefined {
  if (!isModelWish(wish)) return undefined;
  if (!enabled || !allowed)
    return 'the choice of a model is disabled for this tool: leave out provider, model and reasoning_effort';
  const { provider, model, reasoningEffort } = wish;
  for (const [name, value] of Object.entries({ provider, model, reasoning_effort: reasoningEffort }))
    if (value?.trim() === '') return `${name} must not be empty`;
  if (reasoningEffort !== undefined && !efforts.includes(reasoningEffort))
    return `there is no reasoning effort "${reasoningEffort}"; there are ${efforts.join(', ')}`;
  if (provider === undefined && model === undefined) return undefined;
  if (provider === undefined || model === undefined) return 'provider and model are given together, or neither';
  return refuseProvider({ provider, allowed, providers }) ?? refuseRoute({ provider, model }, allowed);
}

/** Why a session's model may ask nothing about a provider, if it may not. */
export function refuseProvider(input: {
  provider: string;
  allowed: readonly ModelRoute[];
  providers: readonly string[];
}): string | undefined {
  const { provider, allowed, providers } = input;
  if (!allowed.some((route) => route.provider === provider))
    return `provider "${provider}" is not allowed in this session; allowed: ${unique(allowed.map((route) => route.provider))}`;
  if (!providers.includes(provider))
    return `provider "${provider}" is not registered; registered: ${unique(providers)}`;
  return undefined;
}

/** Why a session's model may not have a model, if it may not. */
export function refuseRoute(route: ModelRoute, allowed: readonly ModelRoute[]): string | undefined {
  if (allowed.some((other) => same(other, route))) return undefined;
  return `model "${route.model}" of provider "${route.provider}" is not allowed in this session; list_subagent_models shows which are`;
}

const unique = (names: readonly string[]): string => [...new Set(names)].join(', ') || '(none)';
