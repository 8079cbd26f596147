import type { WorkerConfig } from '@everturn/core/config';

/**
 * What an operator is told where a confined command could lift its own limits: by a signal to its session at a Temporal
 * that asks nobody for a key. Nothing where commands have no network, no limits, or no way in.
 */
export function openToCommands(
  config: Pick<WorkerConfig, 'permissionMode' | 'sandbox' | 'temporal'>,
): string | undefined {
  const { permissionMode, sandbox, temporal } = config;
  const asksForKey = temporal.apiKey !== undefined || temporal.tlsFiles !== undefined;
  if (permissionMode === 'danger-full-access' || sandbox.network === 'none' || asksForKey) return undefined;
  return (
    `commands have a network, and Temporal at ${temporal.address} asks for no key: one could signal its own session and ` +
    'widen what it may do. Set EVERTURN_SANDBOX_NETWORK=none, or have Temporal ask for a key or a certificate'
  );
}
