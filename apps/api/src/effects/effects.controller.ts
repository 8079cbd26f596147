import { Controller, Get } from '@nestjs/common';
import type { TenantId } from '@everturn/core/domain';
import { z } from 'zod';
import { CallerTenant } from '../platform/auth/tenant.ts';
import { Describe } from '../platform/http/describe.ts';
import { PathParameters, QueryString } from '../platform/http/request-parts.ts';
import { cursorText } from '../platform/schemas/cursor.ts';
import { SessionPath } from '../platform/schemas/paths.ts';
import { wholeNumber } from '../platform/schemas/query-values.ts';
import { EffectsService } from './effects.service.ts';

const State = z.enum(['claimed', 'done', 'unknown', 'void']);

const EffectsQuery = z.strictObject({
  state: State.optional().describe('claimed: under way; unknown: it may have happened; void: it never started'),
  cursor: cursorText.optional(),
  limit: wholeNumber({ min: 1, max: 1_000 }).optional().describe('most effects of a page; default 200'),
});
type EffectsQuery = z.output<typeof EffectsQuery>;

const Effect = z.strictObject({
  key: z.string(),
  state: State,
  label: z.string(),
  epoch: z.int().describe('how many holders it has had'),
  turn: z.int().optional(),
  step: z.int().optional(),
  host: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const EffectPage = z.strictObject({ effects: z.array(Effect), next: z.string().nullable() });

/** The ledger of what a session did to the world: at most once each. */
@Controller('v1/sessions/:id/effects')
export class EffectsController {
  constructor(private readonly effects: EffectsService) {}

  @Get()
  @Describe({
    summary: 'Model calls, tool runs and hooks of a session, and whether each happened',
    answers: { 200: { description: 'a page, oldest first', schema: EffectPage } },
    refusals: ['SESSION_NOT_FOUND', 'INVALID_REQUEST', 'INVALID_CURSOR'],
  })
  list(
    @CallerTenant() tenant: TenantId,
    @PathParameters(SessionPath) { id }: SessionPath,
    @QueryString(EffectsQuery) { state, cursor, limit = 200 }: EffectsQuery,
  ): Promise<z.input<typeof EffectPage>> {
    return this.effects.list({ tenant, session: id }, { limit, ...(state && { state }), ...(cursor && { cursor }) });
  }
}
