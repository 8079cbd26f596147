import { Controller, Get } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters } from '../platform/http/request-parts.ts';
import { ProviderList, ProviderPath, ServedModels } from './llm-shapes.ts';
import { LlmService } from './llm.service.ts';

/** Which models answer here. */
@Controller('v1/llm/providers')
export class LlmController {
  constructor(private readonly llm: LlmService) {}

  @Get()
  @Describe({
    summary: 'The providers of live workers, their models and what these hold and cost',
    answers: { 200: { description: 'as workers are configured', schema: ProviderList } },
    refusals: [],
  })
  providers(@CallerTenant() tenant: TenantId): Promise<ProviderList> {
    return this.llm.providers(tenant);
  }

  @Get(':provider/models')
  @Describe({
    summary: 'Ask a provider which models it serves now',
    description: "With the tenant's stored key where the deployment has none.",
    answers: { 200: { description: 'as the provider says', schema: ServedModels } },
    refusals: ['INVALID_REQUEST', 'UNKNOWN_PROVIDER', 'PROVIDER_FAILED', 'TEMPORAL_UNAVAILABLE'],
  })
  discover(
    @CallerTenant() tenant: TenantId,
    @PathParameters(ProviderPath) { provider }: ProviderPath,
  ): Promise<ServedModels> {
    return this.llm.discover({ tenant, provider });
  }
}
