import { canonicalJson } from '@everturn/core/domain';

/** Equality of JSON values, whatever the order of their members. */
export const isDeepEqual = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
