import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import type { TenantId } from '@everturn/core/domain';
import { hostDetails, listLiveHosts, providersFor, type Database, type HostDetails } from '@everturn/core/postgres';
import {
  DISCOVER_MODELS_WORKFLOW,
  discoverModelsWorkflowId,
  taskQueues,
  type DiscoverModelsInput,
  type DiscoverModelsResult,
} from '@everturn/core/protocol';
import { WorkflowFailedError, type Client } from '@temporalio/client';
import { ApiError } from '../platform/errors/api-error.ts';
import { CONFIG, DATABASE, TEMPORAL } from '../platform/tokens.ts';
import type { ProviderList, ServedModels } from './llm-shapes.ts';

/** The worker gives up before. */
const DISCOVERY_TIMEOUT_MS = 25_000;

/** Which models there are: as live workers list them, and as a provider says when it is asked. */
@Injectable()
export class LlmService {
  readonly #queue: string;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(TEMPORAL) private readonly client: Client,
    @Inject(CONFIG) { temporal }: ApiConfig,
  ) {
    this.#queue = taskQueues(temporal.taskQueue).main;
  }

  async providers(tenant: TenantId): Promise<ProviderList> {
    const details = await this.#details();
    const defaultRoute = details.find((one) => one.defaultRoute)?.defaultRoute;
    const mine = details.flatMap((one) => providersFor(one, tenant));
    const byId = new Map(mine.map((provider) => [provider.id, view(provider)]));
    return { providers: [...byId.values()], ...(defaultRoute && { defaultRoute }) };
  }

  /** Asks the provider itself, through a worker. Throws `UNKNOWN_PROVIDER` and `PROVIDER_FAILED`. */
  async discover({ tenant, provider }: DiscoverModelsInput): Promise<ServedModels> {
    const known = (await this.#details()).flatMap((details) => providersFor(details, tenant).map(({ id }) => id));
    if (!known.includes(provider)) throw unknown(provider, known);
    const result = await this.#ask({ tenant, provider });
    if (result.kind === 'failure') {
      const { code, message } = result.failure;
      throw new ApiError({
        code: 'PROVIDER_FAILED',
        message: `${code}: ${message}`,
        details: { provider, failure: code },
      });
    }
    return { models: result.models.map(({ provider: _, ...model }) => model) };
  }

  async #ask(input: DiscoverModelsInput & { tenant: TenantId }): Promise<DiscoverModelsResult> {
    try {
      return (await this.client.workflow.execute(DISCOVER_MODELS_WORKFLOW, {
        workflowId: discoverModelsWorkflowId(input.tenant, input.provider, randomUUID()),
        taskQueue: this.#queue,
        args: [input],
        workflowExecutionTimeout: DISCOVERY_TIMEOUT_MS,
        staticSummary: `models of ${input.provider}`,
      })) as DiscoverModelsResult; // as its workflow returns it
    } catch (cause) {
      if (!(cause instanceof WorkflowFailedError))
        throw new ApiError({ code: 'TEMPORAL_UNAVAILABLE', message: 'Temporal does not answer; try again', cause });
      const message = `no worker had an answer of provider "${input.provider}" in time; try again`;
      throw new ApiError({ code: 'PROVIDER_FAILED', message, details: { provider: input.provider }, cause });
    }
  }

  async #details(): Promise<HostDetails[]> {
    return (await listLiveHosts(this.database)).map((host) => hostDetails(host));
  }
}

function view(provider: HostDetails['providers'][number]): ProviderList['providers'][number] {
  const { id, name, protocol, unlisted, reasoningEfforts, credential, catalogue } = provider;
  return {
    id,
    name,
    ...(protocol !== undefined && { protocol }),
    unlisted,
    reasoningEfforts,
    ...(credential && { credential }),
    models: catalogue,
  };
}

function unknown(provider: string, known: readonly string[]): ApiError {
  const there = [...new Set(known)].join(', ') || '(none)';
  return new ApiError({
    code: 'UNKNOWN_PROVIDER',
    message: `no worker has the provider "${provider}"; there are: ${there}`,
  });
}
