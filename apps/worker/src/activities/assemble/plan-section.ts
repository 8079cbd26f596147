import type { PlanEnforcement } from '@everturn/core/domain';
import type { PromptSection } from '../../plugins/index.ts';

const REFUSED = 'Until then every tool that is not read-only is refused.';

/** What a model in plan mode is told. */
export function planSection({ text, enforcement }: { text: string; enforcement: PlanEnforcement }): PromptSection {
  return { name: 'plan:policy', order: 50, text: enforcement === 'deny' ? `${text}\n${REFUSED}` : text };
}
