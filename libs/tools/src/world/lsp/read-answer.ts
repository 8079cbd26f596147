import { z } from 'zod';
import { ToolError, type LspAnswer, type LspOperation } from '../../kit/index.ts';

const position = z.object({ line: z.int().nonnegative(), character: z.int().nonnegative() });
const range = z.object({ start: position, end: position });
const Location = z.object({ uri: z.string(), range }).transform(({ uri, range: { start } }) => ({ uri, ...start }));
const LocationLink = z
  .object({ targetUri: z.string(), targetRange: range, targetSelectionRange: range })
  .transform(({ targetUri, targetSelectionRange: { start } }) => ({ uri: targetUri, ...start }));
const place = z.union([LocationLink, Location]);
const Locations = z.union([z.null().transform(() => []), z.array(place), place.transform((one) => [one])]);

const marked = z.union([z.string(), z.object({ language: z.string(), value: z.string() })]);
const markup = z.object({ kind: z.enum(['markdown', 'plaintext']), value: z.string() });
const Hover = z.union([
  z.null(),
  z.object({ contents: z.union([markup, marked, z.array(marked)]), range: range.nullish() }),
]);

/** What a server answered; throws `LSP_MALFORMED_RESPONSE` for what the protocol does not allow, whatever part of it. */
export function readAnswer(operation: LspOperation, id: string, result: unknown): LspAnswer {
  if (operation !== 'hover') return { kind: 'locations', locations: parsed(Locations, id, result) };
  const hover = parsed(Hover, id, result);
  const parts = hover === null ? [] : [hover.contents].flat().map(textOf);
  const text = parts.filter((part) => part.trim() !== '').join('\n\n');
  return { kind: 'hover', ...(text !== '' && { text }) };
}

function textOf(content: z.infer<typeof markup> | z.infer<typeof marked>): string {
  if (typeof content === 'string') return content;
  if ('kind' in content) return content.value;
  if (content.value.trim() === '') return '';
  const longest = Math.max(2, ...[...content.value.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${content.language}\n${content.value}\n${fence}`;
}

function parsed<T>(schema: z.ZodType<T>, id: string, result: unknown): T {
  const outcome = schema.safeParse(result ?? null);
  if (outcome.success) return outcome.data;
  throw new ToolError(
    'LSP_MALFORMED_RESPONSE',
    `language server "${id}" answered something the protocol does not allow`,
  );
}
