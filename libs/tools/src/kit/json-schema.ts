import type { JsonObject, JsonValue } from '@everturn/core/domain';

/**
 * The part of JSON Schema our tools are written in; each member is what a model sees of one value.
 * No interface, so that the compiler knows it for JSON.
 */
export type ValueSchema = {
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
  readonly description?: string;
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly oneOf?: readonly ValueSchema[];
  readonly items?: ValueSchema;
  readonly properties?: { readonly [name: string]: ValueSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ValueSchema;
  readonly propertyNames?: ValueSchema;
  readonly anyOf?: readonly ValueSchema[];
  readonly default?: JsonValue;
  readonly format?: string;
  readonly minLength?: number;
  readonly $schema?: string;
  readonly $defs?: { readonly [name: string]: ValueSchema };
  readonly $ref?: string;
};

/** A tool's parameters: an object whose root is open (undeclared arguments reach the body). */
export type ParameterSchema = ValueSchema & { readonly type: 'object' };

type Flatten<T> = { [K in keyof T]: T[K] };
type RequiredOf<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;
type ObjectFrom<P, R> = Flatten<
  { -readonly [K in keyof P as K extends R ? K : never]: ValueFrom<P[K]> } & {
    -readonly [K in keyof P as K extends R ? never : K]?: ValueFrom<P[K]>;
  }
>;

/** The TypeScript type of the values a schema (written `as const`) accepts. */
export type ValueFrom<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly oneOf: readonly (infer B)[] }
      ? ValueFrom<B>
      : S extends { readonly type: 'string' }
        ? string
        : S extends { readonly type: 'number' | 'integer' }
          ? number
          : S extends { readonly type: 'boolean' }
            ? boolean
            : S extends { readonly type: 'null' }
              ? null
              : S extends { readonly type: 'array' }
                ? S extends { readonly items: infer I }
                  ? ValueFrom<I>[]
                  : JsonValue[]
                : S extends { readonly type: 'object' }
                  ? S extends { readonly properties: infer P }
                    ? ObjectFrom<P, RequiredOf<S>>
                    : JsonObject
                  : JsonValue;
