import { createHash } from 'node:crypto';

/** The longest name a provider takes. */
const MAX_LENGTH = 64;
const KEPT = 51;

/** What all tools of a server are called first. */
export const toolPrefix = (server: string): string => `mcp__${server}__`;

/** The name a model knows a server's tool by: legal for every provider, and never the same for two of one server. */
export function toolName(server: string, raw: string): string {
  const whole = `${toolPrefix(server)}${raw}`;
  const legal = whole.replaceAll(/[^A-Za-z0-9_-]/gu, '_');
  if (legal === whole && legal.length <= MAX_LENGTH) return legal;
  const digest = createHash('sha256').update(`${server}\0${raw}`).digest('hex').slice(0, 12);
  return `${legal.slice(0, KEPT)}_${digest}`;
}
