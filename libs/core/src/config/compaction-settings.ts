import { z } from 'zod';

const ratio = z.number().gt(0).lt(1);
const tokens = z.int().positive();
const attempts = z.int().min(0).max(10);

const overrides = {
  auto: z.boolean().optional(),
  thresholdRatio: ratio.optional(),
  retainRatio: ratio.optional(),
  retainTokens: tokens.optional(),
  maxTokens: tokens.optional(),
  compactionRetries: attempts.optional(),
  maxOverflowRetries: attempts.optional(),
  summarization: z.strictObject({ provider: z.string().min(1), model: z.string().min(1) }).optional(),
};

/** What a providers file says of shortening histories, for all models or for one. */
export const CompactionSettings = z
  .strictObject({
    ...overrides,
    modelPolicies: z
      .array(z.strictObject({ ...overrides, provider: z.string().min(1), model: z.string().min(1) }))
      .optional(),
  })
  .superRefine((settings, context) => {
    for (const own of [{}, ...(settings.modelPolicies ?? [])]) {
      const message = whatIsWrong({ ...settings, ...own }, own) ?? whatIsWrong(settings, settings);
      if (message) context.addIssue({ code: 'custom', message });
    }
  });
export type CompactionSettings = z.output<typeof CompactionSettings>;

interface Retained {
  thresholdRatio?: number | undefined;
  retainRatio?: number | undefined;
  retainTokens?: number | undefined;
}

function whatIsWrong(all: Retained, own: Retained): string | undefined {
  if (own.retainRatio !== undefined && own.retainTokens !== undefined)
    return 'give retainRatio or retainTokens, not both';
  if (own.retainRatio === undefined && all.retainTokens !== undefined) return undefined;
  return (all.retainRatio ?? 0.16) >= (all.thresholdRatio ?? 0.8)
    ? 'retainRatio (default 0.16) must be below thresholdRatio (default 0.8), or nothing would ever be shortened'
    : undefined;
}
