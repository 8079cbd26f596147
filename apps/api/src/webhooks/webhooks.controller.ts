import { Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { JsonBody, PathParameters, QueryString } from '../platform/http/request-parts.ts';
import {
  ChangeWebhook,
  CreatedWebhook,
  CreateWebhook,
  DeliveriesQuery,
  DeliveryPage,
  DeliveryPath,
  DeliveryView,
  WebhookList,
  WebhookPath,
  WebhookView,
} from './webhook-shapes.ts';
import { WebhooksService } from './webhooks.service.ts';

/** Notifications by signed posts. */
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @HttpCode(201)
  @Describe({
    summary: 'Subscribe to what happens in the sessions of the tenant, or in one of them',
    answers: { 201: { description: 'subscribed', schema: CreatedWebhook } },
    refusals: ['INVALID_REQUEST', 'INVALID_JSON', 'SESSION_NOT_FOUND', 'SECRETS_KEY_MISSING', 'WEBHOOK_LIMIT'],
  })
  create(@CallerTenant() tenant: TenantId, @JsonBody(CreateWebhook) body: CreateWebhook) {
    return this.webhooks.create(tenant, body);
  }

  @Get()
  @Describe({
    summary: 'Subscriptions of the tenant, oldest first',
    answers: { 200: { description: 'all of them', schema: WebhookList } },
    refusals: [],
  })
  list(@CallerTenant() tenant: TenantId) {
    return this.webhooks.list(tenant);
  }

  @Get(':webhook')
  @Describe({
    summary: 'One subscription',
    answers: { 200: { description: 'as it is', schema: WebhookView } },
    refusals: ['INVALID_REQUEST', 'WEBHOOK_NOT_FOUND'],
  })
  find(@CallerTenant() tenant: TenantId, @PathParameters(WebhookPath) { webhook }: WebhookPath) {
    return this.webhooks.find({ tenant, webhook });
  }

  @Patch(':webhook')
  @Describe({
    summary: 'Change where a subscription goes, what it is told of, or whether it is',
    answers: { 200: { description: 'as it is now', schema: WebhookView } },
    refusals: ['INVALID_REQUEST', 'INVALID_JSON', 'WEBHOOK_NOT_FOUND'],
  })
  change(
    @CallerTenant() tenant: TenantId,
    @PathParameters(WebhookPath) { webhook }: WebhookPath,
    @JsonBody(ChangeWebhook) body: ChangeWebhook,
  ) {
    return this.webhooks.change({ tenant, webhook }, body);
  }

  @Delete(':webhook')
  @HttpCode(204)
  @Describe({
    summary: 'End a subscription; what was not delivered yet is given up',
    answers: { 204: { description: 'ended' } },
    refusals: ['INVALID_REQUEST', 'WEBHOOK_NOT_FOUND'],
  })
  delete(@CallerTenant() tenant: TenantId, @PathParameters(WebhookPath) { webhook }: WebhookPath) {
    return this.webhooks.delete({ tenant, webhook });
  }

  @Get(':webhook/deliveries')
  @Describe({
    summary: 'What a subscription was told, newest first, and what became of it; kept 30 days',
    answers: { 200: { description: 'a page', schema: DeliveryPage } },
    refusals: ['INVALID_REQUEST', 'INVALID_CURSOR', 'WEBHOOK_NOT_FOUND'],
  })
  deliveries(
    @CallerTenant() tenant: TenantId,
    @PathParameters(WebhookPath) { webhook }: WebhookPath,
    @QueryString(DeliveriesQuery) query: DeliveriesQuery,
  ) {
    return this.webhooks.deliveries({ tenant, webhook }, query);
  }

  @Post(':webhook/deliveries/:delivery/redeliver')
  @HttpCode(202)
  @Describe({
    summary: 'Deliver once more what was delivered or given up, under the same id; what is on its way is left alone',
    answers: { 202: { description: 'how it stands', schema: DeliveryView } },
    refusals: ['INVALID_REQUEST', 'WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  })
  redeliver(@CallerTenant() tenant: TenantId, @PathParameters(DeliveryPath) { webhook, delivery }: DeliveryPath) {
    return this.webhooks.redeliver({ tenant, webhook, delivery });
  }
}
