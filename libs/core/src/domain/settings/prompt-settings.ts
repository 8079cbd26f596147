import { z } from 'zod';
import { fillTemplate } from '../prompt-template.ts';
import { registerSettings } from './settings-namespace.ts';

/** What the namespace `prompt` comes to. */
export interface PromptPolicy {
  /** Who the agent is; absent: as the deployment says. */
  persona?: string;
  /** How much of a project's instructions for agents requests begin with at most; 0 = none. */
  instructionsBytes: number;
}

/** The name of {@link PromptPolicy}'s settings. */
export const PROMPT_SETTINGS = 'prompt';
export const DEFAULT_INSTRUCTIONS_BYTES = 65_536;
export const MOST_INSTRUCTIONS_BYTES = 1_048_576;

/** What every session has, whatever it was created with; a template with more would fail some of them. */
const ALWAYS_THERE = { provider: '', model: '' };

const persona = z
  .string()
  .max(32_768)
  .superRefine((text, context) => {
    const template = fillTemplate(text, ALWAYS_THERE);
    if (template.kind === 'broken')
      context.addIssue({
        code: 'custom',
        message: `${template.why}; variables are {{provider}} and {{model}}`,
      });
  });

registerSettings({
  name: PROMPT_SETTINGS,
  description:
    "Who agents are (`persona`, in place of the deployment's; what a session says itself goes before both), and how many bytes of a project's instructions their requests begin with (`instructionsBytes`, 0 = none)",
  schema: z.strictObject({
    persona: persona.exactOptional(),
    instructionsBytes: z.int().min(0).max(MOST_INSTRUCTIONS_BYTES),
  }),
  defaults: { instructionsBytes: DEFAULT_INSTRUCTIONS_BYTES },
  applies: 'live',
});
