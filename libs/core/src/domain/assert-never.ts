/** Ends a `switch` over a closed union: compiles only when every tag is handled. */
export function assertNever(value: never, what = 'variant'): never {
  throw new TypeError(`unknown ${what}: ${JSON.stringify(value)}`);
}
