/** What a message calls for by `/name`: each name once, in order. Paths and fractions are none. */
export function skillsNamedIn(text: string): string[] {
  const names = [...text.matchAll(/(?<=^|\s)\/([a-z0-9]+(?:-[a-z0-9]+)*)(?=\s|$)/g)].map(([, name = '']) => name);
  return [...new Set(names)];
}
