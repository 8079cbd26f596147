import { stripTypeScriptTypes } from 'node:module';

// A body may use `return` and `await` at its top, which only a function's may.
const OPENING = 'async function program() {\n';
const CLOSING = '\n}';

export type Erased = { kind: 'erased'; code: string } | { kind: 'refused'; message: string };

/** Takes the types out of a body and leaves every other character where it was; what erasing does not mend is refused. */
export function eraseTypes(code: string): Erased {
  try {
    const erased = stripTypeScriptTypes(`${OPENING}${code}${CLOSING}`, { mode: 'strip' });
    return { kind: 'erased', code: erased.slice(OPENING.length, erased.length - CLOSING.length) };
  } catch (error) {
    return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
  }
}
