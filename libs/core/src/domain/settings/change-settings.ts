import type { JsonObject, JsonValue } from '../json.ts';
import { settingsNamespace, type SettingsNamespace } from './settings-namespace.ts';

/** One step of a change by path. */
export type SettingsOp = { op: 'set'; path: string[]; value: JsonValue } | { op: 'unset'; path: string[] };

/** A change of what a tenant says itself. */
export type SettingsChange =
  | { kind: 'update'; patch: JsonObject }
  | { kind: 'replace'; section: JsonObject }
  | { kind: 'mutate'; ops: readonly SettingsOp[] };

/** What a namespace is made of: the deployment's word goes before its defaults, the tenant's before both. */
export interface SettingsLayers {
  base?: JsonObject;
  user?: JsonObject;
}

export type SettingsResult =
  | { kind: 'changed' | 'unchanged'; user: JsonObject; value: JsonObject }
  | { kind: 'rejected'; issues: { field: string; message: string }[] };

/** What holds, all layers together. */
export function effectiveSettings(
  { defaults }: SettingsNamespace,
  { base = {}, user = {} }: SettingsLayers,
): JsonObject {
  return merged(merged(defaults, base), user);
}

/** The same of a namespace by name, as its readers know it; what does not hold together any more counts for nothing. */
export function settingsOf(name: string, layers: SettingsLayers): unknown {
  const namespace = settingsNamespace(name);
  if (!namespace) throw new TypeError(`no settings are named "${name}"`);
  const all = namespace.schema.safeParse(effectiveSettings(namespace, layers));
  const { user: _, ...without } = layers;
  return all.success ? all.data : effectiveSettings(namespace, without);
}

/** Applies a change; it is refused as a whole where what would hold is not what the namespace takes. */
export function changeSettings(
  namespace: SettingsNamespace,
  { base = {}, user = {} }: SettingsLayers,
  change: SettingsChange,
): SettingsResult {
  const wanted = applied(user, change);
  const value = effectiveSettings(namespace, { base, user: wanted });
  const checked = namespace.schema.safeParse(value);
  if (!checked.success)
    return {
      kind: 'rejected',
      issues: checked.error.issues.map(({ path, message }) => ({ field: path.join('.') || 'value', message })),
    };
  return { kind: isSame(user, wanted) ? 'unchanged' : 'changed', user: wanted, value };
}

function applied(user: JsonObject, change: SettingsChange): JsonObject {
  switch (change.kind) {
    case 'update':
      return merged(user, change.patch);
    case 'replace':
      return change.section;
    case 'mutate':
      return change.ops.reduce<JsonObject>(
        (before, op) => asObject(op.op === 'set' ? put(before, op.path, op.value) : dropped(before, op.path)),
        user,
      );
  }
}

/** Objects are merged member by member, everything else is replaced. */
function merged(under: JsonObject, over: JsonObject): JsonObject {
  const members = Object.entries(over).map(([key, value]): [string, JsonValue] => {
    const below = Object.hasOwn(under, key) ? under[key] : undefined;
    return [key, isObject(below) && isObject(value) ? merged(below, value) : value];
  });
  // `fromEntries` makes members of its own of whatever name.
  return Object.fromEntries([...Object.entries(under), ...members]);
}

function put(under: JsonValue | undefined, [first, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (first === undefined) return value;
  const object = asObject(under);
  const below = Object.hasOwn(object, first) ? object[first] : undefined;
  return Object.fromEntries([...Object.entries(object), [first, put(below, rest, value)]]);
}

function dropped(under: JsonObject, [first, ...rest]: readonly string[]): JsonObject {
  if (first === undefined) return {};
  const members = Object.entries(under).flatMap(([key, value]): [string, JsonValue][] => {
    if (key !== first) return [[key, value]];
    return rest.length > 0 && isObject(value) ? [[key, dropped(value, rest)]] : rest.length > 0 ? [[key, value]] : [];
  });
  return Object.fromEntries(members);
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
    );
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, n) => isSame(each as JsonValue, b[n] as JsonValue));
  return a === b;
}
