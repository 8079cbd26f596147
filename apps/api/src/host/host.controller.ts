import { Controller, Get } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { HostReport } from './host-report.ts';
import { HostService } from './host.service.ts';

/** What runs here and what it may do. */
@Controller('v1/host')
export class HostController {
  constructor(private readonly host: HostService) {}

  @Get()
  @Describe({
    summary: 'Mode, versions, provider routes by name, effective settings, live workers',
    answers: { 200: { description: 'the report', schema: HostReport } },
  })
  read(@CallerTenant() tenant: TenantId): Promise<HostReport> {
    return this.host.report(tenant);
  }
}
