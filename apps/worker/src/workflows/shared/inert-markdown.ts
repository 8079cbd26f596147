/** Text of models and people as Markdown that shows it literally: no emphasis, link or picture comes out of it. */
export function literal(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim();
  return line === '' ? '' : `\`${line}\``;
}
