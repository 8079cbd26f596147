import { readFileSync } from 'node:fs';

/** One instruction of a Dockerfile, its continuation lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** What stands between one FROM and the next. */
export interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile by name; an unnamed stage is an error, because nothing could build on it. */
export function readStages(file: string): Map<string, Stage> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  const stages = new Map<string, Stage & { instructions: Instruction[] }>();
  let current: (Stage & { instructions: Instruction[] }) | undefined;
  for (const line of lines) {
    const [name = '', ...rest] = line.split(/\s+/);
    const text = rest.join(' ');
    if (name === 'FROM') {
      const [, from, stage] = /^(\S+) AS (\S+)$/.exec(text) ?? [];
      if (from === undefined || stage === undefined) throw new Error(`a stage without a name: ${line}`);
      current = { name: stage, from, instructions: [] };
      stages.set(stage, current);
    } else if (current) current.instructions.push({ name, text });
    else throw new Error(`${name} stands before the first FROM`);
  }
  return stages;
}

/** A stage's instructions, after those of the stages it is built from. */
export function withAncestors(stages: ReadonlyMap<string, Stage>, name: string): Instruction[] {
  const stage = stages.get(name);
  return stage ? [...withAncestors(stages, stage.from), ...stage.instructions] : [];
}

/** COPY of repository paths: what is copied (relative to the root) and where to (relative to /app). */
export interface Copied {
  readonly sources: readonly string[];
  readonly target: string;
}

/** The COPY instructions that take from the repository, not from another stage. */
export function copiesOf(instructions: readonly Instruction[]): Copied[] {
  return instructions
    .filter(({ name, text }) => name === 'COPY' && !text.startsWith('--'))
    .map(({ text }) => {
      const paths = text.split(' ');
      return { sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
    });
}

/** The stages whose `/app` is copied whole into this one. */
export function treesOf(instructions: readonly Instruction[]): string[] {
  return instructions.flatMap(({ name, text }) => {
    const [, stage] = (name === 'COPY' && /^--from=(\S+) \/app \.\/$/.exec(text)) || [];
    return stage === undefined ? [] : [stage];
  });
}

/** NAME=value pairs of ENV. */
export function environmentOf(instructions: readonly Instruction[]): Record<string, string> {
  const pairs = instructions.filter(({ name }) => name === 'ENV').flatMap(({ text }) => text.split(' '));
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
}

/** The last instruction of a name, which is the one that counts. */
export function lastOf(instructions: readonly Instruction[], name: string): string | undefined {
  return instructions.findLast((instruction) => instruction.name === name)?.text;
}
