import type { JsonObject, JsonValue } from '@everturn/core/domain';
import type { ParameterSchema } from '../../kit/index.ts';
import { resolveReference } from './resolve-reference.ts';

/** A schema every provider takes and what was changed to get there, or why there is none. */
export type ProjectedSchema =
  | { kind: 'kept'; parameters: ParameterSchema; changes: string[] }
  | { kind: 'left-out'; reason: string };

/** Tools go into every request, so one of them may not fill it. */
const MAX_BYTES = 32_768;
/** References may multiply what they lead to without end. */
const MAX_NODES = 5_000;
/** Deeper levels are cut away, one after the other, until a schema fits. */
const DEPTHS = [32, 6, 4, 3, 2, 1];

/** Names that turn into prototypes where somebody assigns them. */
const UNSAFE = new Set(['__proto__']);
/** Keywords whose values are copied as they are. */
const PLAIN = new Set(
  `type description title enum const default format pattern minLength maxLength minimum maximum exclusiveMinimum
  exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties examples`.split(/\s+/),
);

/**
 * What a model is told of a foreign tool's parameters. Providers refuse a whole request for one schema whose root is
 * no object or whose references lead nowhere, so references are put in, and what cannot be said is left away: the
 * server checks the arguments itself.
 */
export function projectSchema(schema: unknown): ProjectedSchema {
  if (!isRecord(schema)) return { kind: 'left-out', reason: 'its input schema is not an object' };
  for (const depth of DEPTHS) {
    const changes = new Set<string>();
    if (depth !== DEPTHS[0]) changes.add(`levels below ${depth} of its input schema are not shown`);
    const projection = new Projection(schema, changes);
    const root = projection.root(depth);
    if (typeof root === 'string') return { kind: 'left-out', reason: root };
    if (projection.nodes <= MAX_NODES && Buffer.byteLength(JSON.stringify(root)) <= MAX_BYTES)
      return { kind: 'kept', parameters: root, changes: [...changes] };
  }
  return { kind: 'left-out', reason: `its input schema takes more than ${MAX_BYTES} bytes` };
}

class Projection {
  nodes = 0;
  readonly #document: JsonObject;
  readonly #changes: Set<string>;

  constructor(document: JsonObject, changes: Set<string>) {
    this.#document = document;
    this.#changes = changes;
  }

  /** The root, or why no call could be made. */
  root(depth: number): ParameterSchema | string {
    const root = this.#follow(this.#document, new Set([this.#document]));
    if (!root) return 'its input schema refers to what is not there';
    const { type } = root.schema;
    if (type === undefined) this.#changes.add('its input schema says no type; taken for an object');
    else if (type !== 'object' && !listOf(type).includes('object'))
      return `its input schema is not of an object but of ${JSON.stringify(type)}`;
    const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => listOf(root.schema[name]));
    const merged = branches.length > 0 ? this.#merge(root.schema, branches, root.seen) : root.schema;
    const projected = this.#object(merged, depth, root.seen);
    const lost = listOf(merged['required']).find((name) => typeof name === 'string' && UNSAFE.has(name));
    if (lost !== undefined) return `it requires a property named ${JSON.stringify(lost)}`;
    return { ...projected, type: 'object', properties: projected['properties'] ?? {} } as ParameterSchema;
  }

  /** Alternatives at the root become one object that has what any of them has and requires what all of them do. */
  #merge(root: JsonObject, branches: readonly JsonValue[], seen: Set<JsonObject>): JsonObject {
    this.#changes.add('the alternatives at the root of its input schema are shown as one object');
    const objects = branches.flatMap((branch): JsonObject[] => {
      const found = isRecord(branch) ? this.#follow(branch, seen) : undefined;
      return found ? [found.schema] : [];
    });
    const properties = [root, ...objects].flatMap(({ properties: own }) => (isRecord(own) ? Object.entries(own) : []));
    const [first = [], ...others] = objects.map((object) => listOf(object['required']));
    const shared = first.filter((name) => others.every((names) => names.includes(name)));
    const required = [...new Set([...listOf(root['required']), ...shared])];
    const { anyOf: _any, oneOf: _one, allOf: _all, ...rest } = root;
    return { ...rest, properties: fromEntries(properties), required };
  }

  #schema(schema: JsonValue, depth: number, seen: Set<JsonObject>): JsonObject {
    this.nodes += 1;
    if (!isRecord(schema) || this.nodes > MAX_NODES) return {};
    const found = this.#follow(schema, seen);
    if (!found) return 'description' in schema ? { description: schema['description'] as JsonValue } : {};
    return this.#object(found.schema, depth, found.seen);
  }

  #object(schema: JsonObject, depth: number, seen: Set<JsonObject>): JsonObject {
    const result: [string, JsonValue][] = Object.entries(schema).filter(([name]) => PLAIN.has(name));
    if (depth <= 0) return fromEntries(result.filter(([name]) => name === 'type' || name === 'enum'));
    const below = (value: JsonValue) => this.#schema(value, depth - 1, seen);
    for (const [name, value] of Object.entries(schema)) {
      if (name === 'items' && isRecord(value)) result.push([name, below(value)]);
      else if (name === 'additionalProperties' && (isRecord(value) || typeof value === 'boolean'))
        result.push([name, isRecord(value) ? below(value) : value]);
      else if (['anyOf', 'oneOf', 'allOf'].includes(name) && Array.isArray(value))
        result.push([name, value.map(below)]);
      else if (name === 'properties' && isRecord(value)) result.push(...this.#properties(schema, value, below));
    }
    return fromEntries(result);
  }

  #properties(
    schema: JsonObject,
    declared: JsonObject,
    below: (value: JsonValue) => JsonObject,
  ): [string, JsonValue][] {
    const kept = Object.entries(declared).filter(([name]) => !UNSAFE.has(name));
    if (kept.length < Object.keys(declared).length) this.#changes.add('a property named __proto__ is not shown');
    const names = new Set(kept.map(([name]) => name));
    const required = listOf(schema['required']).filter((name) => typeof name === 'string' && names.has(name));
    return [
      ['properties', fromEntries(kept.map(([name, value]) => [name, below(value)]))],
      ...(required.length > 0 ? [['required', required] as [string, JsonValue]] : []),
    ];
  }

  /** Puts in what a reference leads to; nothing where it leads nowhere or back to where it is. */
  #follow(schema: JsonObject, seen: Set<JsonObject>): { schema: JsonObject; seen: Set<JsonObject> } | undefined {
    const { $ref: reference, ...beside } = schema;
    if (typeof reference !== 'string') return { schema, seen };
    const target = resolveReference(this.#document, reference);
    if (!target || seen.has(target)) {
      this.#changes.add(`${target ? 'the circle behind' : 'what is behind'} ${reference.slice(0, 80)} is not shown`);
      return undefined;
    }
    const found = this.#follow(target, new Set([...seen, target]));
    return found && { schema: { ...found.schema, ...beside }, seen: found.seen };
  }
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

const fromEntries = (entries: readonly [string, JsonValue][]): JsonObject => Object.fromEntries(entries);

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
