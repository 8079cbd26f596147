/** What the code inside an isolate uses, taken before the program can change any of it. */
export interface Serializer {
  /** JSON text that stands for exactly this value; throws a `TypeError` that says what cannot be and where. */
  serialize(value: unknown, root: string): string;
  /** A thrown value in words; never throws. */
  describe(thrown: unknown): { name: string; message: string };
}

/**
 * Runs inside an isolate: its source goes there as text, so it may use nothing from around it, and nothing that a
 * program could have replaced by the time it is called.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- one function is what travels
export function makeSerializer(): Serializer {
  const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, prototype: plain } = Object;
  const { isArray } = Array;
  const { ownKeys } = Reflect;
  const { stringify } = JSON;
  const { isFinite: finite } = Number;
  const { is } = Object;
  const text = String;
  const call = Function.prototype.call;
  const addTo = call.bind(Set.prototype.add) as (set: Set<unknown>, value: unknown) => void;
  const isIn = call.bind(Set.prototype.has) as (set: Set<unknown>, value: unknown) => boolean;
  const removeFrom = call.bind(Set.prototype.delete) as (set: Set<unknown>, value: unknown) => void;
  const NewSet = Set;
  const deepest = 1_000;

  const Refusal = TypeError;
  const refuse = (path: string, why: string): never => {
    throw new Refusal(`${path} is ${why}`);
  };

  const own = (value: object, key: string, path: string): unknown => {
    const property = getOwnPropertyDescriptor(value, key);
    if (!property || !hasOwn(property, 'value')) return refuse(path, 'an accessor');
    if (!property.enumerable) return refuse(path, 'a hidden member');
    return property.value as unknown;
  };

  const writeArray = (value: unknown[], path: string, above: Set<unknown>, depth: number): string => {
    let json = '[';
    const { length } = value;
    for (let index = 0; index < length; index += 1) {
      const place = `${path}[${index}]`;
      if (!hasOwn(value, index)) refuse(place, 'a hole');
      json += (index === 0 ? '' : ',') + write(own(value, text(index), place), place, above, depth);
    }
    if (ownKeys(value).length !== length + 1) refuse(path, 'an array with members besides its items');
    return `${json}]`;
  };

  const writeObject = (value: object, path: string, above: Set<unknown>, depth: number): string => {
    const prototype: unknown = getPrototypeOf(value);
    if (prototype !== null && prototype !== plain) return refuse(path, 'not a plain object');
    const keys = ownKeys(value);
    let json = '{';
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] as string | symbol;
      if (typeof key === 'symbol') return refuse(path, 'an object with a member named by a symbol');
      const place = `${path}.${key}`;
      json += `${index === 0 ? '' : ','}${stringify(key)}:${write(own(value, key, place), place, above, depth)}`;
    }
    return `${json}}`;
  };

  const write = (value: unknown, path: string, above: Set<unknown>, depth: number): string => {
    if (value === null) return 'null';
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return stringify(value);
      case 'number':
        if (!finite(value)) return refuse(path, 'not a finite number');
        return is(value, -0) ? refuse(path, 'negative zero') : stringify(value);
      case 'object':
        break;
      default:
        return refuse(path, value === undefined ? 'undefined' : `a ${typeof value}`);
    }
    if (depth > deepest) return refuse(path, `nested deeper than ${deepest} levels`);
    if (isIn(above, value)) return refuse(path, 'part of a cycle');
    addTo(above, value);
    const json = isArray(value)
      ? writeArray(value, path, above, depth + 1)
      : writeObject(value, path, above, depth + 1);
    removeFrom(above, value);
    return json;
  };

  const member = (value: object, key: string): string | undefined => {
    try {
      const found = (value as Record<string, unknown>)[key];
      return typeof found === 'string' ? found : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    serialize: (value, root) => write(value, root, new NewSet(), 0),
    describe(thrown) {
      if (typeof thrown === 'object' && thrown !== null) {
        const message = member(thrown, 'message');
        const name = member(thrown, 'name') ?? 'Error';
        if (message !== undefined) return { name, message };
        try {
          return { name: 'Error', message: `threw ${write(thrown, 'value', new NewSet(), 0)}` };
        } catch {
          return { name: 'Error', message: 'threw an object that cannot be shown' };
        }
      }
      if (typeof thrown === 'string') return { name: 'Error', message: thrown };
      try {
        return { name: 'Error', message: `threw ${text(thrown)}` };
      } catch {
        return { name: 'Error', message: `threw a ${typeof thrown}` };
      }
    },
  };
}
