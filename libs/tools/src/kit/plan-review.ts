import { PLAN_REVIEW, type JsonValue } from '@everturn/core/domain';

/** Presents a plan; its approval ends plan mode. */
export const PLAN_TOOL = 'exit_plan_mode';

/** What the result of an approved plan carries, for whoever ends plan mode. */
export const PLAN_APPROVED = { approved: true, review: PLAN_REVIEW.id } as const;

/** Whether a finished call is an approved plan. Other tools may carry what they like. */
export function isApprovedPlan(
  name: string,
  { isError, meta }: { isError: boolean; meta?: JsonValue | undefined },
): boolean {
  if (name !== PLAN_TOOL || isError) return false;
  return typeof meta === 'object' && meta !== null && 'review' in meta && meta['review'] === PLAN_REVIEW.id;
}
