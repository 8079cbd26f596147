import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import {
  changeSettings,
  effectiveSettings,
  PERMISSION_SETTINGS,
  PROMPT_SETTINGS,
  settingsNamespace,
  settingsNamespaces,
  TITLE_SETTINGS,
  type JsonObject,
  type SettingsChange,
  type SettingsNamespace,
  type TenantId,
} from '@everturn/core/domain';
import { listSettings, writeSettings, type Database, type StoredSettings } from '@everturn/core/postgres';
import { z } from 'zod';
import { ApiError } from '../platform/errors/api-error.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import { CONFIG, DATABASE } from '../platform/tokens.ts';
import type { SettingsReceipt, SettingsView } from './settings-requests.ts';

/** A change, and the revision it was made for. */
export interface ChangeRequest {
  tenant: TenantId;
  namespace: string;
  change: SettingsChange;
  expectedRevision: number | undefined;
}

/** What tenants say of how their sessions are treated, over what the deployment says. */
@Injectable()
export class SettingsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: ApiConfig,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  async list(tenant: TenantId): Promise<SettingsView[]> {
    const stored = await listSettings(this.database, tenant);
    return settingsNamespaces().map((namespace) => this.#view(namespace, stored.get(namespace.name)));
  }

  async find(tenant: TenantId, name: string): Promise<SettingsView> {
    const namespace = known(name);
    return this.#view(namespace, (await listSettings(this.database, tenant)).get(name));
  }

  /** Throws `SETTINGS_CONFLICT` with both revisions, and `SETTINGS_REJECTED` with the fields at fault. */
  async change({ tenant, namespace: name, change, expectedRevision }: ChangeRequest): Promise<SettingsReceipt> {
    const namespace = known(name);
    const base = this.#base(name);
    const written = await writeSettings(this.database, {
      tenant,
      namespace: name,
      ...(expectedRevision !== undefined && { expectedRevision }),
      change: (user) => changeSettings(namespace, { ...(base && { base }), user }, change),
    });
    if (written.kind === 'conflict')
      throw new ApiError({
        code: 'SETTINGS_CONFLICT',
        message: `expectedRevision ${String(expectedRevision)} is not the revision of "${name}": read it again and repeat the change`,
        details: { expected: expectedRevision, actual: written.actual },
      });
    if (written.kind === 'rejected')
      throw new ApiError({
        code: 'SETTINGS_REJECTED',
        message: `"${name}" cannot be so: ${written.result.issues.map(({ field, message }) => `${field}: ${message}`).join('; ')}`,
        issues: written.result.issues,
      });
    const { result, revision } = written;
    if (result.kind === 'changed') this.announcer.announceTenant(tenant);
    return { ...this.#view(namespace, { user: result.user, revision }), changed: result.kind === 'changed' };
  }

  #view(namespace: SettingsNamespace, stored: StoredSettings | undefined): SettingsView {
    const { name, description, applies, schema } = namespace;
    const base = this.#base(name);
    const said = stored && { user: stored.user };
    return {
      namespace: name,
      description,
      value: effectiveSettings(namespace, { ...(base && { base }), ...said }),
      ...(base && { base }),
      ...said,
      schema: z.toJSONSchema(schema),
      applies,
      revision: stored?.revision ?? 0,
    };
  }

  /** What the environment of this deployment says. */
  #base(name: string): JsonObject | undefined {
    const { titles, instructionsBytes, permissionMode } = this.config;
    switch (name) {
      case TITLE_SETTINGS:
        return { cadence: titles.cadence, ...titles.route };
      case PROMPT_SETTINGS:
        return { instructionsBytes };
      case PERMISSION_SETTINGS:
        return { defaultPreset: permissionMode };
      default:
        return undefined;
    }
  }
}

function known(name: string): SettingsNamespace {
  const namespace = settingsNamespace(name);
  if (namespace) return namespace;
  const names = settingsNamespaces().map((each) => each.name);
  throw new ApiError({
    code: 'SETTINGS_NOT_FOUND',
    message: `no settings are named "${name}"; there are: ${names.join(', ')}`,
  });
}
