import { z } from 'zod';

/** Titles in the environment. */
export const titleFields = {
  EVERTURN_TITLES: z
    .enum(['off', 'first-prompt', 'every-prompt'], { error: 'set it to off, first-prompt or every-prompt' })
    .default('off'),
  EVERTURN_TITLE_MODEL: z
    .string()
    .regex(/^[^/\s]+\/\S+$/, 'set it to <provider>/<model>, or unset it to ask the model of the session')
    .optional(),
};

/** When a model is asked for a session's title; `route` = which, if not the session's own. */
export interface TitleSettings {
  cadence: 'off' | 'first-prompt' | 'every-prompt';
  route?: { provider: string; model: string };
}

/** The part of the environment about titles. */
export function titleSettings(env: z.output<z.ZodObject<typeof titleFields>>): TitleSettings {
  const { EVERTURN_TITLES: cadence, EVERTURN_TITLE_MODEL: wanted = '' } = env;
  const at = wanted.indexOf('/');
  return { cadence, ...(at > 0 && { route: { provider: wanted.slice(0, at), model: wanted.slice(at + 1) } }) };
}
