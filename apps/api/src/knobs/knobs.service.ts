import { Inject, Injectable } from '@nestjs/common';
import type { ModelChoice } from '@everturn/core/domain';
import { readKnobs, type Database } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { KnobDesk } from '../platform/requests/knob-desk.ts';
import { ModelRoutes } from '../platform/requests/model-routes.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { KnobReceipt, ModelReport, PlanReport } from './knob-requests.ts';

/** Shows and changes what holds from a session's next step on: plan mode and the model. */
@Injectable()
export class KnobsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(KnobDesk) private readonly desk: KnobDesk,
    @Inject(ModelRoutes) private readonly routes: ModelRoutes,
  ) {}

  /** As the log says; what a turn that runs has still to take is not in it. */
  async plan(key: SessionKey): Promise<PlanReport> {
    const { knobs, options } = await this.#read(key);
    const { active, next } = knobs?.plan ?? { active: false };
    return {
      active,
      ...(next && { next: next.active }),
      ...(options.planEnforcement && { enforcement: options.planEnforcement }),
    };
  }

  setPlan(key: SessionKey, idempotencyKey: string | undefined, active: boolean): Promise<KnobReceipt> {
    return this.desk.change({ key, idempotencyKey, change: { plan: active } });
  }

  async model(key: SessionKey): Promise<ModelReport> {
    const { knobs, options } = await this.#read(key);
    const models = await this.routes.offered(key.tenant);
    const chosen = knobs?.model?.now;
    if (chosen) return { ...chosen, source: 'chosen', models };
    const { provider, model, reasoningEffort } = options;
    const usual = await this.routes.usual();
    return {
      ...usual,
      ...(provider !== undefined && { provider }),
      ...(model !== undefined && { model }),
      ...(reasoningEffort && { reasoningEffort }),
      source: provider === undefined && model === undefined ? 'deployment' : 'created',
      models,
    };
  }

  /** Throws `UNKNOWN_PROVIDER` and `UNKNOWN_MODEL` for what no live worker offers. */
  setModel(key: SessionKey, idempotencyKey: string | undefined, model: ModelChoice): Promise<KnobReceipt> {
    const check = () => this.routes.refuseUnknown(key.tenant, model);
    return this.desk.change({ key, idempotencyKey, change: { model }, check });
  }

  async #read(key: SessionKey) {
    const row = await this.access.find(key);
    // Validated when the session was created; the row gives it back as JSON.
    const options = row.options as SessionOptions;
    return { options, knobs: await readKnobs(this.database, key, { planMode: options.planMode ?? false }) };
  }
}
