import type { DiscoverModelsInput, DiscoverModelsResult } from '@everturn/core/protocol';
import { discoverModels } from './proxies.ts';

/** Asks a provider which models it serves now, for somebody who waits. */
export const discoverModelsWorkflow = (input: DiscoverModelsInput): Promise<DiscoverModelsResult> =>
  discoverModels(input);
