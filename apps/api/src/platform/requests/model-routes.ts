import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import {
  hostDetails,
  listLiveHosts,
  providersFor,
  readKnobs,
  readSession,
  type Database,
} from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { SessionKey } from '../follow/log-source.ts';
import { DATABASE } from '../tokens.ts';
import { refuseUnknownModel, type ModelWish } from './known-models.ts';

export interface OfferedModels {
  provider: string;
  models: string[];
  unlisted: 'passed-through' | 'refused';
}

/** A model as far as it is known. */
export interface ModelRoute {
  provider: string | undefined;
  model: string | undefined;
}

/** Which models the live workers can ask. */
@Injectable()
export class ModelRoutes {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Throws `UNKNOWN_PROVIDER` and `UNKNOWN_MODEL`; without a live worker nothing is known and nothing refused. */
  async refuseUnknown(tenant: TenantId, wish: ModelWish): Promise<void> {
    refuseUnknownModel(wish, await this.#providers(tenant));
  }

  /** By provider, each once. */
  async offered(tenant: TenantId): Promise<OfferedModels[]> {
    const providers = await this.#providers(tenant);
    return [...new Map(providers.map((provider) => [provider.id, provider])).values()].map(
      ({ id, models, unlisted }) => ({ provider: id, models, unlisted }),
    );
  }

  /** The route of sessions that choose none, where a worker tells it. */
  async usual(): Promise<{ provider: string; model: string } | undefined> {
    return (await this.#details()).find(({ defaultRoute }) => defaultRoute)?.defaultRoute;
  }

  /** What answers a session now, as far as its log or its creation say. */
  async of(key: SessionKey): Promise<string | undefined> {
    const { provider, model } = await this.route(key);
    return provider === undefined || model === undefined ? model : `${provider}/${model}`;
  }

  /** What answers a session now, in two words; what nobody knows is left out. */
  async route(key: SessionKey): Promise<ModelRoute> {
    const [row, knobs] = await Promise.all([
      readSession(this.database, key),
      readKnobs(this.database, key, { planMode: false }),
    ]);
    const chosen = knobs?.model?.now;
    if (chosen) return chosen;
    const { provider, model } = (row?.options ?? {}) as SessionOptions; // validated when it was written
    return this.completed({ provider, model: model ?? row?.model });
  }

  /** A wish with what the deployment adds to it. */
  async completed({ provider, model }: ModelWish): Promise<ModelRoute> {
    const usual = provider === undefined || model === undefined ? await this.usual() : undefined;
    return { provider: provider ?? usual?.provider, model: model ?? usual?.model };
  }

  /** Whether a model takes pictures; `undefined` where no live worker tells. */
  async takesPictures(tenant: TenantId, { provider, model }: ModelRoute): Promise<boolean | undefined> {
    if (model === undefined) return undefined;
    const told = (await this.#providers(tenant)).find(({ id }) => id === provider);
    return (
      told?.pictures && (told.models.includes(model) ? told.pictures.listed.includes(model) : told.pictures.unlisted)
    );
  }

  async #providers(tenant: TenantId) {
    return (await this.#details()).flatMap((details) => providersFor(details, tenant));
  }

  async #details() {
    return (await listLiveHosts(this.database)).map((host) => hostDetails(host));
  }
}
