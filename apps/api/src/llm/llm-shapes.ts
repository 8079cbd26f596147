import { z } from 'zod';

const dollars = z.number().nonnegative();
const Price = z
  .strictObject({ input: dollars, output: dollars, cacheRead: dollars.optional(), cacheWrite: dollars.optional() })
  .describe('US dollars per million tokens');

const Model = z.strictObject({
  id: z.string(),
  name: z.string(),
  input: z.array(z.string()).describe('what it takes: text, image'),
  contextWindow: z.number().optional().describe('tokens; absent: nobody says'),
  price: Price.optional(),
});

const Provider = z.strictObject({
  id: z.string(),
  name: z.string(),
  protocol: z.string().optional(),
  unlisted: z.enum(['passed-through', 'refused']).describe('what becomes of a model that is not listed'),
  reasoningEfforts: z.array(z.string()),
  credential: z
    .strictObject({ ref: z.string(), source: z.enum(['environment', 'stored']) })
    .optional()
    .describe('what its key is called at /v1/credentials, and whether the deployment has one that goes first'),
  models: z.array(Model),
});

/** The providers of live workers. */
export const ProviderList = z.strictObject({
  providers: z.array(Provider),
  defaultRoute: z.strictObject({ provider: z.string(), model: z.string() }).optional(),
});
export type ProviderList = z.output<typeof ProviderList>;

export const ProviderPath = z.strictObject({
  provider: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,128}$/, 'use letters, digits, . _ -')
    .describe('the provider'),
});
export type ProviderPath = z.output<typeof ProviderPath>;

/** What a provider says it serves. */
export const ServedModels = z.strictObject({
  models: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      description: z.string().optional(),
      input: z.array(z.string()).optional(),
      contextWindow: z.number().optional(),
    }),
  ),
});
export type ServedModels = z.output<typeof ServedModels>;
