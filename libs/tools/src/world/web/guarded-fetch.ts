import { fetch as undiciFetch, type RequestInit } from 'undici';
import { AddressGuard } from './address-guard.ts';
import { guardedAgent } from './guarded-agent.ts';

/** `fetch` to public addresses, and to those allowed besides; each is judged as it is dialled. Throws for a range that is none. */
export function guardedFetch(allowAddresses: readonly string[]): typeof fetch {
  const dispatcher = guardedAgent(new AddressGuard(allowAddresses));
  // The runtime's own fetch takes no agent of this version; what they take and give is the same.
  return (async (url: string, init?: object) =>
    undiciFetch(url, { ...(init as RequestInit), dispatcher })) as unknown as typeof fetch;
}
