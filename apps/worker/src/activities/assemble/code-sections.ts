import type { ToolsMode } from '@everturn/core/protocol';
import { CODE_TOOL, type ToolDefinition, type ValueSchema } from '@everturn/tools/kit';
import type { PromptSection } from '../../plugins/index.ts';

const CODE_ONLY =
  'The only tool you can call directly is `run_code`. Every other tool is called from within its program: `await tools.read({ file_path: "/a" })`, say.';

/** What a model that writes programs has to know: what they can call, and in `ptc` mode that nothing else is called. */
export function codeSections(mode: ToolsMode, tools: readonly ToolDefinition[]): PromptSection[] {
  if (mode === 'native') return [];
  const sdk = { name: 'code:sdk', order: 150, text: sdkText(tools.filter(({ name }) => name !== CODE_TOOL)) };
  return mode === 'ptc' ? [{ name: 'code:only', order: 99, text: CODE_ONLY }, sdk] : [sdk];
}

function sdkText(tools: readonly ToolDefinition[]): string {
  const members = tools.map(({ name, description, parameters, output }) => {
    const result = output ? typeText(output) : 'unknown';
    return `  ${comment(description)}\n  ${key(name)}(args: ${typeText(parameters)}): Promise<${result}>;`;
  });
  const text = [
    "Inside `run_code` the following is declared. A call resolves to the tool's result as data (a tool without data resolves to its text; print one to see what it looks like) and rejects with `ToolCallError` when the tool fails.",
    '```ts',
    'declare const tools: {',
    ...members,
    '};',
    'declare class ToolCallError extends Error { readonly toolName: string }',
    'declare const console: { log, info, warn, error, debug: (...values: unknown[]) => void };',
    '```',
  ].join('\n');
  // What looks like a variable of the template is none.
  return text.replaceAll('{{', '{ {');
}

const comment = (text: string): string => `/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */`;

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** A schema as a TypeScript type. */
export function typeText(schema: ValueSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.oneOf) return schema.oneOf.map(typeText).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array': {
      const items = schema.items ? typeText(schema.items) : 'unknown';
      return items.includes(' | ') ? `(${items})[]` : `${items}[]`;
    }
    case 'object':
      return objectText(schema);
    default:
      return 'unknown';
  }
}

function objectText({ properties, required = [] }: ValueSchema): string {
  if (!properties) return 'Record<string, unknown>';
  const members = Object.entries(properties).map(([name, property]) => {
    const said = property.description === undefined ? '' : `${comment(property.description)} `;
    return `${said}${key(name)}${required.includes(name) ? '' : '?'}: ${typeText(property)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
}
