import type { JsonObject, JsonValue } from '@everturn/core/domain';
import { z } from 'zod';
import { SessionPath } from '../platform/schemas/paths.ts';
import { wholeNumber } from '../platform/schemas/query-values.ts';

const Name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, _ or -');
// The same values as zod's own JSON type, under our name for them.
const Schema = z.record(z.string(), z.json()).describe('JSON schema') as unknown as z.ZodType<JsonObject>;

/** `:id` of a session and a page of it. */
export const ClientPath = z.strictObject({ ...SessionPath.shape, client: Name.describe('the page, named by itself') });
export type ClientPath = z.output<typeof ClientPath>;

/** A page and one question to it. */
export const QueryPath = z.strictObject({ ...ClientPath.shape, query: z.uuid().describe('the question') });
export type QueryPath = z.output<typeof QueryPath>;

/** What a page can be asked. */
export const OfferBody = z.strictObject({
  providers: z
    .array(
      z.strictObject({
        id: Name,
        description: z.string().min(1).max(1_000),
        methods: z
          .array(
            z.strictObject({ name: Name, description: z.string().min(1).max(1_000), input: Schema, output: Schema }),
          )
          .min(1)
          .max(50),
      }),
    )
    .min(1)
    .max(20)
    .refine((providers) => new Set(providers.map(({ id }) => id)).size === providers.length, 'names an id twice')
    .refine((providers) => JSON.stringify(providers).length <= 64 * 1024, 'is longer than 64 KiB'),
});
export type OfferBody = z.output<typeof OfferBody>;

/** How long to wait for a question. */
export const WaitQuery = z.strictObject({
  wait: wholeNumber({ min: 0, max: 30 }).optional().describe('seconds to wait until there is one; default 0'),
});
export type WaitQuery = z.output<typeof WaitQuery>;

export const OpenQueries = z.strictObject({
  queries: z.array(
    z.strictObject({
      id: z.string(),
      provider: z.string(),
      method: z.string(),
      input: z.json() as z.ZodType<JsonValue>,
    }),
  ),
});
/** What a page is asked and has not answered, oldest first. */
export type OpenQueries = z.output<typeof OpenQueries>;

/** What a page answers. */
export const AnswerBody = z.union([
  z.strictObject({ data: z.json() }).describe('as the output schema of the method says'),
  z.strictObject({ error: z.string().min(1).max(2_000) }).describe('why there is none'),
]);
export type AnswerBody = z.output<typeof AnswerBody>;
