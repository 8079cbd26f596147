import { characterHead } from './utf8.ts';

const NOTE =
  '<response clipped><NOTE>To save context only the beginning is shown. Find the place with `grep -n`, then look at the lines around it.</NOTE>';

/** The beginning of a text of more than `maxCharacters` characters, and a note that it is not all. */
export const clipText = (value: string, maxCharacters: number): string =>
  value.length <= maxCharacters ? value : `${characterHead(value, maxCharacters)}${NOTE}`;
