import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/**
 * Another name beside a missing file that reads the same and is spelled with other Unicode characters: `é` as one
 * character or as two. Nobody sees the difference, and models write the one form whatever they were shown.
 */
export async function lookalike(displayPath: string): Promise<string | undefined> {
  const name = basename(displayPath);
  if (/^[\0-\x7f]*$/.test(name)) return undefined;
  const wanted = name.normalize('NFC');
  const names = await readdir(dirname(displayPath)).catch(() => []);
  return names.find((other) => other !== name && other.normalize('NFC') === wanted);
}

/** How to say so, to be added to a `not found`. */
export const lookalikeHint = (name: string): string =>
  `; a file whose name reads the same is spelled ${name === name.normalize('NFC') ? 'with composed' : 'with decomposed'} characters (${JSON.stringify(name).replaceAll(/[^\x20-\x7e]/gu, escapeCharacter)}): reach it with a wildcard in bash, or rename it there`;

const escapeCharacter = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
