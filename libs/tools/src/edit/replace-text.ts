import { ToolError } from '../kit/index.ts';

export interface ReplaceTextInput {
  displayPath: string;
  text: string;
  oldString: string;
  newString: string;
  replaceAll: boolean;
}

/** A file is matched with plain line feeds, so what the model sends is made the same. */
export const lineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

/** Replaces literal text; throws when it is absent, or fits several places while one was meant. */
export function replaceText({ displayPath, text, oldString, newString, replaceAll }: ReplaceTextInput): string {
  const [wanted, replacement] = [lineFeeds(oldString), lineFeeds(newString)];
  const matches = countOverlapping(text, wanted);
  if (matches === 0) throw new ToolError('FS_EDIT_NOT_FOUND', `old_string was not found in "${displayPath}"`);
  if (matches > 1 && !replaceAll)
    throw new ToolError(
      'FS_AMBIGUOUS_EDIT',
      `old_string matched ${matches} times in "${displayPath}"; add surrounding text so that it fits one place, or set replace_all`,
    );
  // A function, because in a plain replacement text `$&` and the like stand for parts of the match.
  return text.replaceAll(wanted, () => replacement);
}

/** Counting goes on no further; the number is for a message only, and one repeated letter would take for ever. */
const MAX_COUNTED = 100_000;

/** How many places a text fits, also where they overlap: `aXa` fits `aXaXa` twice. */
function countOverlapping(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1 && count < MAX_COUNTED; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}
