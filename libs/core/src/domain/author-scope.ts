import type { Author } from './ids.ts';

/** What an author's name says about where it writes. */
export type AuthorScope =
  | { kind: 'session' }
  | { kind: 'turn'; turn: number }
  | { kind: 'step'; turn: number; step: number }
  /** An activity or program of a step. */
  | { kind: 'part'; turn: number; step: number };

/** Reads an author's name; throws `TypeError` for one that names nobody. */
export function authorScope(author: Author): AuthorScope {
  if (author === 'session') return { kind: 'session' };
  const match = /^t(\d+)(?:\.s(\d+)(\..+)?)?$/.exec(author);
  if (!match)
    throw new TypeError(`"${author}" is no author: expected session, t<turn>, t<turn>.s<step> or a part of it`);
  const turn = Number(match[1]);
  if (match[2] === undefined) return { kind: 'turn', turn };
  return { kind: match[3] === undefined ? 'step' : 'part', turn, step: Number(match[2]) };
}
