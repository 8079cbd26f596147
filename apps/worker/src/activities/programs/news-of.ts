import { characterCut } from '@everturn/core/domain';
import type { RunningProgram } from '@everturn/tools/world';
import type { RunProgramInput, RunProgramResult, Said } from '../../contract/index.ts';

/** What stands before the name of a phase among the lines a script printed. */
const PHASE_MARK = '\u0001';
/** Those who watch are shown this much of what was said at once, and of each line. */
const MOST_LINES = 50;
const LONGEST_LINE_BYTES = 500;

/** What a script has said since it was last heard of, the last of it if that is much. */
export function newsOf(
  { heard }: Pick<RunProgramInput, 'heard'>,
  { logs }: Pick<RunningProgram, 'logs'>,
): RunProgramResult['news'] {
  if (heard === undefined || logs.length <= heard) return undefined;
  return { heard: logs.length, said: logs.slice(heard).slice(-MOST_LINES).map(said) };
}

function said(line: string): Said {
  const phase = line.startsWith(PHASE_MARK);
  return {
    kind: phase ? 'phase' : 'log',
    text: characterCut(phase ? line.slice(PHASE_MARK.length) : line, LONGEST_LINE_BYTES),
  };
}
