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
    .map((section) => fillTemplate(section, variables))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}

const OPENING = '{{';
const VARIABLE = /^\{\{([a-z][a-z0-9_]*)\}\}/;

/** Values are put in once and never scanned again, so a value that looks like a template stays text. */
function fillTemplate(section: PromptSection, variables: ComposePromptInput['variables']): string {
  let filled = '';
  let rest = section.text;
  for (let at = rest.indexOf(OPENING); at !== -1; at = rest.indexOf(OPENING)) {
    filled += rest.slice(0, at);
    rest = rest.slice(at);
    if (!rest.includes('}}')) break; // a lone opening is literal
    const name = VARIABLE.exec(rest)?.[1];
    if (name === undefined) throw broken(section, `${rest.slice(0, rest.indexOf('}}') + 2)} is malformed`);
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) throw broken(section, `{{${name}}} has no value here`);
    filled += value;
    rest = rest.slice(name.length + 4);
  }
  return filled + rest;
}

function broken(section: PromptSection, why: string): PluginError {
  return new PluginError(
    'PLUGIN_INVALID_TEMPLATE',
    `prompt section "${section.name}": ${why}. Variables are {{provider}}, {{model}} and {{cwd}}; correct the section.`,
  );
}
