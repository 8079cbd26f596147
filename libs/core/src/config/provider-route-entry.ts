import { z } from 'zod';
import { httpUrl } from './fields.ts';

/** The name of a provider. */
export const identifier = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/, 'use letters, digits, . _ -');

const tokens = z.int().positive();
const input = z.array(z.enum(['text', 'image'])).refine((kinds) => kinds.includes('text'), 'every model takes text');
const effort = z.enum(['off', 'low', 'medium', 'high', 'max']);
const dollars = z.number().nonnegative();
const price = z.strictObject({
  input: dollars,
  output: dollars,
  cacheRead: dollars.optional(),
  cacheWrite: dollars.optional(),
});

const common = {
  id: identifier,
  name: z.string().optional(),
  baseUrl: httpUrl('use an http(s) URL'),
  /** The name of the variable that holds the key: the file itself holds none. */
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'use the name of a variable')
    .optional(),
  models: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        name: z.string().optional(),
        contextWindow: tokens.optional(),
        maxTokens: tokens.optional(),
        input: input.optional(),
        price: price.optional(),
      }),
    )
    .default([]),
  /** What every model of the route holds that does not say so itself, in tokens. */
  contextWindow: tokens.optional(),
  input: input.optional(),
  headers: z.record(z.string(), z.string()).optional(),
  reasoningEfforts: z.partialRecord(effort, z.string()).optional(),
  price: price.optional(),
  rateLimit: z
    .strictObject({
      requestsPerMinute: z.number().positive().max(1_000_000).optional(),
      tokensPerMinute: z.number().positive().max(1_000_000_000).optional(),
    })
    .optional(),
};

/** One route of a providers file. */
export const RouteEntry = z.discriminatedUnion('protocol', [
  z.strictObject({
    protocol: z.literal('openai-chat').optional(),
    ...common,
    dialect: z.enum(['openai', 'deepseek', 'vllm', 'llamacpp', 'ollama', 'scripted']).default('openai'),
    maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  }),
  z.strictObject({ protocol: z.literal('openai-responses'), ...common }),
  z.strictObject({
    protocol: z.literal('anthropic-messages'),
    ...common,
    cacheRetention: z.enum(['none', 'short', 'long']).optional(),
    thinkingBudgets: z.partialRecord(effort, tokens.min(1024)).optional(),
  }),
]);
