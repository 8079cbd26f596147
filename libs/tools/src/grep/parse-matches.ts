import { ToolError } from '../kit/index.ts';

/** One matching line. Offsets in bytes of the line's UTF-8. */
export interface Match {
  path: string;
  line: number;
  /** Absent when the line is not UTF-8. */
  text?: string;
  start: number;
  end: number;
}

type Text = { text: string } | { bytes: string };
interface MatchMessage {
  type: string;
  data: { path: Text; lines: Text; line_number: number | null; submatches: { start: number; end: number }[] };
}

/** Reads what `rg --json` printed; throws `SEARCH_FAILED` when it is not that. */
export function parseMatches(output: string): Match[] {
  const matches: Match[] = [];
  for (const line of output.split('\n')) {
    if (line === '') continue;
    const message = parseLine(line);
    if (message.type === 'match') matches.push(toMatch(message));
  }
  return matches;
}

function parseLine(line: string): MatchMessage {
  try {
    const message = JSON.parse(line) as MatchMessage;
    if (typeof message.type !== 'string') throw new TypeError('a message without type');
    return message;
  } catch (cause) {
    throw new ToolError('SEARCH_FAILED', 'grep search failed: ripgrep printed malformed JSON', { cause });
  }
}

function toMatch({ data: { path, lines, line_number: line, submatches } }: MatchMessage): Match {
  const [first] = submatches;
  return {
    // A name that is no UTF-8 can only be shown approximately.
    path: 'text' in path ? path.text : new TextDecoder().decode(Uint8Array.from(atob(path.bytes), byteOf)),
    line: line ?? 0,
    ...('text' in lines && { text: lines.text.replace(/\r?\n$/, '') }),
    start: first?.start ?? 0,
    end: first?.end ?? 0,
  };
}

const byteOf = (character: string): number => character.charCodeAt(0);
