import type { ActivityOptions } from '@temporalio/common';
import type { DiscoverModelsInput, DiscoverModelsResult } from '@everturn/core/protocol';

export interface DiscoveryActivities {
  /** Asks a provider once; the tenant's stored key is looked up where it is used. */
  discoverModels(input: DiscoverModelsInput): Promise<DiscoverModelsResult>;
}

/** Somebody waits for the answer, so it is asked once and not for long. */
export const DISCOVERY_OPTIONS: ActivityOptions = {
  scheduleToCloseTimeout: 20_000,
  startToCloseTimeout: 20_000,
  retry: { maximumAttempts: 1 },
};
