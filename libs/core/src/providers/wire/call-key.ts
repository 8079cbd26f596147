import { LlmError } from '../../domain/index.ts';
import type { TenantId } from '../../domain/index.ts';
import type { EndpointConfig } from './endpoint-config.ts';

/** The key of one call: the deployment's, else what the tenant stored, looked up each time; throws `LlmError`. */
export async function callKey(config: EndpointConfig, tenant: TenantId | undefined): Promise<string | undefined> {
  if (config.apiKey || !config.credential) return config.apiKey?.reveal();
  const key = (await config.credential(tenant))?.reveal();
  if (!key) throw missingKey(config);
  return sendable(config, key);
}

/** Refuses at start what no call could use; `needed` is the variable that holds the key of who wants one. */
export function checkOwnKey(config: EndpointConfig, needed?: string): void {
  if (config.apiKey) sendable(config, config.apiKey.reveal());
  else if (needed && !config.credential) throw missingKey(config, needed);
}

function sendable(config: EndpointConfig, key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const message = `the API key of provider "${config.provider}" holds characters no header can carry`;
  throw new LlmError({ code: 'INVALID_CREDENTIAL', message });
}

function missingKey({ provider, credentialRef }: EndpointConfig, variable?: string): LlmError {
  const remedy = credentialRef
    ? `set the variable ${credentialRef}, or store it with PUT /v1/credentials/${credentialRef}`
    : `set ${variable} or the route's apiKeyEnv`;
  return new LlmError({ code: 'MISSING_CREDENTIAL', message: `provider "${provider}" has no API key; ${remedy}` });
}
