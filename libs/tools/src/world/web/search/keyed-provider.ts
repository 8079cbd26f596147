import type { Dispatcher } from 'undici';
import { ToolError } from '../../../kit/index.ts';
import type { SearchProvider } from './search-provider.ts';

/** A key that shows itself only where it leaves. */
export interface Credential {
  reveal(): string;
}

export interface KeyedInput {
  baseUrl: string;
  /** Asked for at every search; `undefined`: not set up. */
  credential: () => Credential | undefined;
  dispatcher?: Dispatcher | undefined;
}

/** A provider that is set up when its key is; the key is looked up for each search. */
export function keyedProvider(input: {
  id: string;
  variable: string;
  credential: () => Credential | undefined;
  search(query: Parameters<SearchProvider['search']>[0], key: string): ReturnType<SearchProvider['search']>;
}): SearchProvider {
  const { id, variable, credential } = input;
  const missing = () =>
    new ToolError('WEB_PROVIDER_CREDENTIAL_MISSING', `web search by ${id} needs a key: set ${variable}`);
  return {
    id,
    missing: () => (credential() === undefined ? missing() : undefined),
    search: async (query) => {
      const key = credential()?.reveal();
      if (key === undefined) throw missing();
      return input.search(query, key);
    },
  };
}
