import { ModelChoice } from '@everturn/core/domain';
import { z } from 'zod';
import { RequestReceipt } from '../platform/schemas/receipt.ts';

/** Whether a session shall plan before it acts. */
export const PlanBody = z.strictObject({ active: z.boolean() });
export type PlanBody = z.output<typeof PlanBody>;

/** Where plan mode stands. */
export const PlanReport = z.strictObject({
  active: z.boolean(),
  next: z.boolean().optional().describe('what it becomes before the next step, where that is known to differ'),
  enforcement: z
    .enum(['prompt', 'deny'])
    .optional()
    .describe('as the session was created; absent: as its worker has it'),
});
export type PlanReport = z.output<typeof PlanReport>;

export const ModelBody = ModelChoice;
export type ModelBody = ModelChoice;

/** Which model answers, and which could. */
export const ModelReport = z.strictObject({
  provider: z.string().optional().describe('absent: as the deployment has it'),
  model: z.string().optional(),
  reasoningEffort: ModelChoice.shape.reasoningEffort.unwrap().optional(),
  source: z.enum(['chosen', 'created', 'deployment']).describe('who said so'),
  models: z
    .array(
      z.strictObject({
        provider: z.string(),
        models: z.array(z.string()),
        unlisted: z.enum(['passed-through', 'refused']),
      }),
    )
    .describe('what live workers offer'),
});
export type ModelReport = z.output<typeof ModelReport>;

/** What the sender of a change is told besides. */
export const KnobReceipt = RequestReceipt.extend({
  result: z
    .enum(['committed', 'queued', 'cancelled', 'noop'])
    .optional()
    .describe(
      'committed: it holds now; queued: from the next step of a turn on; cancelled: it took back what was queued; noop: it was so already. Absent where the session has not said.',
    ),
});
export type KnobReceipt = z.output<typeof KnobReceipt>;
