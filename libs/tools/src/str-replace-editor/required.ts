import type { EditorArguments } from './execute.ts';

/** A parameter a command cannot do without; models fill what they do not use with null, which counts as left out. */
export function required<K extends 'file_text' | 'insert_line' | 'new_str' | 'old_str'>(
  args: EditorArguments,
  name: K,
): NonNullable<EditorArguments[K]> {
  const value = args[name];
  if (value === undefined || value === null)
    throw new Error(`Parameter \`${name}\` is required for command: ${args.command}`);
  return value;
}
