import { z } from 'zod';
import { Secret } from './secret.ts';

/** A variable set to nothing counts as not set, as shells and compose files produce it. */
export function withoutBlanks(source: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
}

/** Text that must not be printed. */
export const secret = (remedy: string) => z.string({ error: remedy }).transform((value) => new Secret(value));

/** An absolute http(s) URL without its last slash. */
export const httpUrl = (remedy: string) =>
  z.url({ protocol: /^https?$/, error: remedy }).transform((value) => value.replace(/\/+$/, ''));

/** A whole number between two bounds, both included. */
export const wholeNumber = (input: { min: number; max: number; what: string }) => {
  const remedy = `set it to ${input.what}, a whole number from ${input.min} to ${input.max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, remedy)
    .transform(Number)
    .pipe(z.int().min(input.min, remedy).max(input.max, remedy));
};

/** The longest wait a Node timer can hold, in ms; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** A duration in ms that a Node timer can hold. */
export const milliseconds = (what: string) => wholeNumber({ min: 1, max: MAX_TIMER_MS, what });

/** Absolute folders, separated like PATH (`:`) or by commas. */
export const folders = (remedy: string) =>
  z
    .string()
    .transform((value) => value.split(/[:,]/).filter((part) => part.trim() !== ''))
    .pipe(z.array(z.string().trim().startsWith('/', remedy)).min(1, remedy));

/** Names, separated by commas. */
export const names = (remedy: string) =>
  z
    .string()
    .transform((value) => value.split(',').map((part) => part.trim()))
    .pipe(z.array(z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, remedy)).min(1, remedy));

/** `host:port`, as gRPC clients want it. */
export const hostAndPort = (remedy: string) => z.string({ error: remedy }).regex(/^[^\s/]+:\d{1,5}$/, remedy);

const RANGES = 'set it to addresses or ranges such as 127.0.0.1,10.0.0.0/8, separated by commas';

/** Addresses and CIDR ranges, separated by commas. */
export const addressRanges = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], { error: RANGES })));
