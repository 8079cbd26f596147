/** A template with its values, or what is wrong with it. */
export type FilledTemplate = { kind: 'filled'; text: string } | { kind: 'broken'; why: string };

const OPENING = '{{';
const VARIABLE = /^\{\{([a-z][a-z0-9_]*)\}\}/;

/** Puts values in place of `{{variables}}`, once: a value that looks like a template stays text. */
export function fillTemplate(template: string, variables: Record<string, string | undefined>): FilledTemplate {
  let filled = '';
  let rest = template;
  for (let at = rest.indexOf(OPENING); at !== -1; at = rest.indexOf(OPENING)) {
    filled += rest.slice(0, at);
    rest = rest.slice(at);
    if (!rest.includes('}}')) break; // a lone opening is literal
    const name = VARIABLE.exec(rest)?.[1];
    if (name === undefined) return broken(`${rest.slice(0, rest.indexOf('}}') + 2)} is malformed`);
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) return broken(`{{${name}}} has no value here`);
    filled += value;
    rest = rest.slice(name.length + 4);
  }
  return { kind: 'filled', text: filled + rest };
}

const broken = (why: string): FilledTemplate => ({ kind: 'broken', why });
