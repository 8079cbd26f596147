import { fillTemplate } from '@everturn/core/domain';
import { PluginError } from './plugin-error.ts';

/** A part of the system prompt. Lower orders come first; an empty text leaves the section out. */
export interface PromptSection {
  name: string;
  order: number;
  /** May hold `{{variables}}`. */
  text: string;
}

export interface ComposePromptInput {
  sections: readonly PromptSection[];
  variables: Record<string, string | undefined>;
}

/** Joins sections by order (then name), leaving out empty ones; throws `PLUGIN_INVALID_TEMPLATE`. */
export function composeSystemPrompt({ sections, variables }: ComposePromptInput): string {
  return sections
    .toSorted((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1))
    .map((section) => filled(section, variables))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}

function filled(section: PromptSection, variables: ComposePromptInput['variables']): string {
  const template = fillTemplate(section.text, variables);
  if (template.kind === 'broken') throw broken(section, template.why);
  return template.text;
}

function broken(section: PromptSection, why: string): PluginError {
  return new PluginError(
    'PLUGIN_INVALID_TEMPLATE',
    `prompt section "${section.name}": ${why}. Variables are {{provider}}, {{model}} and {{cwd}}; correct the section.`,
  );
}
