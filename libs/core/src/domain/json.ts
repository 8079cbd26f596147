import { z } from 'zod';

/** A value that survives `JSON.parse(JSON.stringify(v))` unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

export const JsonValue = z.json() as unknown as z.ZodType<JsonValue>; // zod's own type is mutable; ours is frozen

/** A value of an interface of JSON members, as the JSON it is: the compiler allows for members added elsewhere. */
export const asJsonValue = (value: object): JsonValue => value as unknown as JsonValue;
