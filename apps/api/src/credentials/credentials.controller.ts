import { Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters } from '../platform/http/request-parts.ts';
import { CredentialBody, CredentialList, CredentialPath, CredentialView } from './credential-shapes.ts';
import { CredentialsService } from './credentials.service.ts';

/** Keys of model providers, kept per tenant. */
@Controller('v1/credentials')
export class CredentialsController {
  constructor(private readonly credentials: CredentialsService) {}

  @Get()
  @Describe({
    summary: 'Which keys there are and which the configured providers ask for; never the keys',
    answers: { 200: { description: 'by name', schema: CredentialList } },
    refusals: [],
  })
  list(@CallerTenant() tenant: TenantId): Promise<CredentialList> {
    return this.credentials.list(tenant);
  }

  @Get(':ref')
  @Describe({
    summary: 'Whether there is a key, and whose',
    answers: { 200: { description: 'how it stands', schema: CredentialView } },
    refusals: ['INVALID_REQUEST'],
  })
  describe(@CallerTenant() tenant: TenantId, @PathParameters(CredentialPath) { ref }: CredentialPath) {
    return this.credentials.describe({ tenant, ref });
  }

  @Put(':ref')
  @Describe({
    summary: 'Store a key, sealed; the next call to a provider uses it',
    answers: { 200: { description: 'how it stands now', schema: CredentialView } },
    refusals: ['INVALID_REQUEST', 'INVALID_JSON', 'CREDENTIAL_REJECTED', 'SECRETS_KEY_MISSING'],
  })
  write(
    @CallerTenant() tenant: TenantId,
    @PathParameters(CredentialPath) { ref }: CredentialPath,
    @JsonBody(CredentialBody) { value }: CredentialBody,
  ) {
    return this.credentials.write({ tenant, ref }, value);
  }

  @Delete(':ref')
  @HttpCode(204)
  @Describe({
    summary: 'Forget a stored key',
    answers: { 204: { description: 'forgotten' } },
    refusals: ['INVALID_REQUEST', 'CREDENTIAL_NOT_FOUND', 'CREDENTIAL_REJECTED'],
  })
  forget(@CallerTenant() tenant: TenantId, @PathParameters(CredentialPath) { ref }: CredentialPath) {
    return this.credentials.forget({ tenant, ref });
  }
}
