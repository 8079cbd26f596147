import { Controller, Get, HttpCode, Patch, Post, Put } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe, type RouteDescription } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import {
  SettingsList,
  SettingsOps,
  SettingsPatch,
  SettingsPath,
  SettingsReceipt,
  SettingsSection,
  SettingsView,
} from './settings-requests.ts';
import { SettingsService } from './settings.service.ts';

const changing = (summary: string): RouteDescription => ({
  summary,
  description: 'All or nothing. What equals what there is changes nothing and raises no revision.',
  answers: { 200: { description: 'the settings as they are now', schema: SettingsReceipt } },
  refusals: ['INVALID_REQUEST', 'SETTINGS_NOT_FOUND', 'SETTINGS_CONFLICT', 'SETTINGS_REJECTED'],
});

/** How a tenant's sessions are treated, as far as the tenant may say. */
@Controller('v1/settings')
export class SettingsController {
  constructor(private readonly settings: SettingsService) {}

  @Get()
  @Describe({
    summary: 'All settings, with their schemas and revisions',
    answers: { 200: { description: 'by name', schema: SettingsList } },
    refusals: [],
  })
  async list(@CallerTenant() tenant: TenantId): Promise<SettingsList> {
    return { settings: await this.settings.list(tenant) };
  }

  @Get(':namespace')
  @Describe({
    summary: 'Settings of one namespace',
    answers: { 200: { description: 'what holds, and who says so', schema: SettingsView } },
    refusals: ['INVALID_REQUEST', 'SETTINGS_NOT_FOUND'],
  })
  find(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SettingsPath) { namespace }: SettingsPath,
  ): Promise<SettingsView> {
    return this.settings.find(tenant, namespace);
  }

  @Patch(':namespace')
  @Describe(changing('Change members, nested ones member by member'))
  update(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SettingsPath) { namespace }: SettingsPath,
    @JsonBody(SettingsPatch) { patch, expectedRevision }: SettingsPatch,
  ): Promise<SettingsReceipt> {
    return this.settings.change({ tenant, namespace, change: { kind: 'update', patch }, expectedRevision });
  }

  @Put(':namespace')
  @Describe(changing("Say all of it anew; what is left out is the deployment's again"))
  replace(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SettingsPath) { namespace }: SettingsPath,
    @JsonBody(SettingsSection) { value, expectedRevision }: SettingsSection,
  ): Promise<SettingsReceipt> {
    return this.settings.change({ tenant, namespace, change: { kind: 'replace', section: value }, expectedRevision });
  }

  @Post(':namespace/mutate')
  @HttpCode(200)
  @Describe(changing('Set and unset members by path'))
  mutate(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SettingsPath) { namespace }: SettingsPath,
    @JsonBody(SettingsOps) { ops, expectedRevision }: SettingsOps,
  ): Promise<SettingsReceipt> {
    return this.settings.change({ tenant, namespace, change: { kind: 'mutate', ops }, expectedRevision });
  }
}
