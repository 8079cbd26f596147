/** Stands in an order of tools for all that it does not name. */
export const UNLISTED_TOOLS = '<unlisted-tools>';

/** What is wrong with an order of tools, as text; `known` tells a name that a tool has or may come to have. */
export function checkToolOrder(order: readonly string[], known: (name: string) => boolean): string | undefined {
  const twice = order.find((name, at) => order.indexOf(name) !== at);
  if (twice !== undefined) return `${twice} is named twice`;
  if (!order.includes(UNLISTED_TOOLS)) return `${UNLISTED_TOOLS} has to stand where all others go`;
  const unknown = order.filter((name) => name !== UNLISTED_TOOLS && !known(name));
  return unknown.length === 0 ? undefined : `no tool is named ${unknown.join(', ')}`;
}

/** Tools as a model is shown them: in the order given, the unlisted by name in the place of their marker. */
export function orderTools<T extends { name: string }>(
  tools: readonly T[],
  order: readonly string[] = [UNLISTED_TOOLS],
): T[] {
  const marker = order.indexOf(UNLISTED_TOOLS);
  const place = ({ name }: T): number => (order.includes(name) ? order.indexOf(name) : marker);
  // Code units, so that it is the same order everywhere.
  return tools.toSorted((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : Number(a.name > b.name)));
}
