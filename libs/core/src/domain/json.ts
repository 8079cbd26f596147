import { z } from 'zod';

/** A value that survives `JSON.parse(JSON.stringify(v))` unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

export const JsonValue = z.json() as unknown as z.ZodType<JsonValue>; // zod's own type is mutable; ours is frozen
