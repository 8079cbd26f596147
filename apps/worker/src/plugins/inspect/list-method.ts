import type { JsonObject } from '@everturn/core/domain';
import type { ValueSchema } from '@everturn/tools/kit';
import type { InspectorCall, InspectorMethod } from './inspector.ts';

export interface ListMethodInput<T> {
  name: string;
  /** What is listed, in the plural. */
  noun: string;
  /** Under which member of the answer. */
  member: string;
  entries(call: InspectorCall): readonly T[];
  nameOf(entry: T): string;
  /** What a list of all says of one. */
  short(entry: T): JsonObject;
  /** All that is known of one. */
  full(entry: T): JsonObject;
  properties: { readonly [name: string]: ValueSchema };
  /** Members every entry has. */
  required: readonly string[];
}

/** A method that lists all in short, and one in full: a name that nothing has makes an empty list. */
export function listMethod<T>(input: ListMethodInput<T>): InspectorMethod {
  const { name, noun, member, entries, nameOf, short, full, properties, required } = input;
  return {
    name,
    description: `Lists ${noun} by name; with a name, all about that one, or an empty list where there is none.`,
    input: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Exact name of one. Default: all, in short.' } },
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: {
        [member]: { type: 'array', items: { type: 'object', properties, required, additionalProperties: false } },
      },
      required: [member],
      additionalProperties: false,
    },
    answer: (asked, call) => {
      const wanted = (asked as { name?: string }).name;
      const all = entries(call).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
      return {
        [member]: wanted === undefined ? all.map(short) : all.filter((one) => nameOf(one) === wanted).map(full),
      };
    },
  };
}
