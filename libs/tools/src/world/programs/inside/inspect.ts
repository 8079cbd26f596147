/**
 * Runs inside an isolate, under the same rules as the serializer: shows values as a console does. Depth 4, 100 items of
 * an array, 10,000 characters of a string; what a getter does or throws is not the console's business.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- one function is what travels
export function makeInspect(): (values: readonly unknown[]) => string {
  const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, is } = Object;
  const { isArray } = Array;
  const { ownKeys } = Reflect;
  const { stringify } = JSON;
  const text = String;
  const call = Function.prototype.call;
  const slice = call.bind(String.prototype.slice) as (value: string, from: number, to: number) => string;
  const matches = call.bind(RegExp.prototype.exec) as (pattern: RegExp, value: string) => unknown;
  const forEachEntry = call.bind(Map.prototype.forEach) as (
    map: unknown,
    each: (v: unknown, k: unknown) => void,
  ) => void;
  const forEachItem = call.bind(Set.prototype.forEach) as (set: unknown, each: (v: unknown) => void) => void;
  const toIso = call.bind(Date.prototype.toISOString) as (date: unknown) => string;
  const mapPrototype: unknown = Map.prototype;
  const setPrototype: unknown = Set.prototype;
  const datePrototype: unknown = Date.prototype;
  const ErrorClass = Error;
  const isError = call.bind(Function.prototype[Symbol.hasInstance], ErrorClass) as (value: unknown) => boolean;
  const deepest = 4;
  const mostItems = 100;
  const mostCharacters = 10_000;

  const cut = (value: string): string =>
    value.length <= mostCharacters
      ? value
      : `${slice(value, 0, mostCharacters)}… ${value.length - mostCharacters} more characters`;

  const list = (items: string, open: string, close: string): string =>
    items === '' ? `${open}${close}` : `${open} ${items} ${close}`;

  const showArray = (value: unknown[], depth: number, above: object | undefined): string => {
    let items = '';
    const { length } = value;
    for (let index = 0; index < length && index < mostItems; index += 1)
      items +=
        (index === 0 ? '' : ', ') + (hasOwn(value, index) ? member(value, text(index), depth, above) : '<empty>');
    if (length > mostItems) items += `, … ${length - mostItems} more items`;
    return list(items, '[', ']');
  };

  const showObject = (value: object, depth: number, above: object | undefined): string => {
    let items = '';
    let shown = 0;
    const keys = ownKeys(value);
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] as string | symbol;
      if (!getOwnPropertyDescriptor(value, key)?.enumerable) continue;
      shown += 1;
      if (shown > mostItems) break;
      const name = typeof key === 'symbol' ? '[symbol]' : matches(/^[A-Za-z_$][\w$]*$/, key) ? key : stringify(key);
      items += `${items === '' ? '' : ', '}${name}: ${member(value, key, depth, above)}`;
    }
    if (shown > mostItems) items += `, … ${keys.length - mostItems} more members`;
    return list(items, '{', '}');
  };

  const member = (value: object, key: string | symbol, depth: number, above: object | undefined): string => {
    const property = getOwnPropertyDescriptor(value, key);
    if (property && !hasOwn(property, 'value')) return '[getter]';
    return show(property?.value, depth + 1, above);
  };

  const showSpecial = (value: object, depth: number, above: object | undefined): string | undefined => {
    const prototype: unknown = getPrototypeOf(value);
    if (isError(value)) {
      const { name, message } = value as Error;
      return typeof message === 'string' ? `[${text(name)}: ${cut(message)}]` : '[Error]';
    }
    let items = '';
    if (prototype === mapPrototype) {
      forEachEntry(value, (entry, key) => {
        items += `${items === '' ? '' : ', '}${show(key, depth + 1, above)} => ${show(entry, depth + 1, above)}`;
      });
      return `Map ${list(items, '{', '}')}`;
    }
    if (prototype === setPrototype) {
      forEachItem(value, (entry) => (items += `${items === '' ? '' : ', '}${show(entry, depth + 1, above)}`));
      return `Set ${list(items, '{', '}')}`;
    }
    return prototype === datePrototype ? toIso(value) : undefined;
  };

  const show = (value: unknown, depth: number, above: object | undefined): string => {
    switch (typeof value) {
      case 'string':
        return depth === 0 ? cut(value) : stringify(cut(value));
      case 'number':
        return is(value, -0) ? '-0' : text(value);
      case 'bigint':
        return `${text(value)}n`;
      case 'function':
        return '[function]';
      case 'symbol':
        return '[symbol]';
      case 'object':
        break;
      default:
        return text(value);
    }
    if (value === null) return 'null';
    for (let frame = above as { value: object; above?: object } | undefined; frame; frame = frame.above as typeof frame)
      if (frame.value === value) return '[circular]';
    if (depth >= deepest) return isArray(value) ? '[array]' : '[object]';
    const within = { value, above };
    try {
      const special = showSpecial(value, depth, within);
      if (special !== undefined) return special;
      return isArray(value) ? showArray(value, depth, within) : showObject(value, depth, within);
    } catch {
      return '[not shown]';
    }
  };

  return (values) => {
    let line = '';
    for (let index = 0; index < values.length; index += 1)
      line += (index === 0 ? '' : ' ') + show(values[index], 0, undefined);
    return line;
  };
}
