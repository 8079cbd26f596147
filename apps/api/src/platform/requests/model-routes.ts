import { Inject, Injectable } from '@nestjs/common';
import { hostDetails, listLiveHosts, readKnobs, readSession, type Database } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { SessionKey } from '../follow/log-source.ts';
import { DATABASE } from '../tokens.ts';
import { refuseUnknownModel, type ModelWish } from './known-models.ts';

export interface OfferedModels {
  provider: string;
  models: string[];
  unlisted: 'passed-through' | 'refused';
}

/** Which models the live workers can ask. */
@Injectable()
export class ModelRoutes {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Throws `UNKNOWN_PROVIDER` and `UNKNOWN_MODEL`; without a live worker nothing is known and nothing refused. */
  async refuseUnknown(wish: ModelWish): Promise<void> {
    refuseUnknownModel(
      wish,
      (await this.#details()).flatMap(({ providers }) => providers),
    );
  }

  /** By provider, each once. */
  async offered(): Promise<OfferedModels[]> {
    const providers = (await this.#details()).flatMap((details) => details.providers);
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
    const [row, knobs] = await Promise.all([
      readSession(this.database, key),
      readKnobs(this.database, key, { planMode: false }),
    ]);
    const chosen = knobs?.model?.now;
    if (chosen) return `${chosen.provider}/${chosen.model}`;
    const { provider, model } = (row?.options ?? {}) as SessionOptions; // validated when it was written
    const usual = await this.usual();
    const [by, which] = [provider ?? usual?.provider, model ?? row?.model ?? usual?.model];
    return by === undefined || which === undefined ? which : `${by}/${which}`;
  }

  async #details() {
    return (await listLiveHosts(this.database)).map((host) => hostDetails(host));
  }
}
