import type { McpServerOptions } from './server-options.ts';

/** How long to wait before the next attempt in a row (counted from 0), in ms; nothing when there is none. */
export function reconnectDelay(reconnect: McpServerOptions['reconnect'], attempts: number): number | undefined {
  const { enabled, initialDelayMs, maxDelayMs, maxAttempts } = reconnect;
  if (!enabled || attempts >= maxAttempts) return undefined;
  return Math.min(initialDelayMs * 2 ** attempts, maxDelayMs);
}

/** Whether a connection lasted long enough to earn all attempts again; a crash loop never does. */
export const earnsAttempts = (reconnect: McpServerOptions['reconnect'], uptimeMs: number): boolean =>
  uptimeMs >= reconnect.maxDelayMs;
