import { globSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { type Stage, copiesOf, treesOf, withAncestors } from './dockerfile.ts';

/** Whether a file is sent to the image builder: the last line of .dockerignore that matches it, or a folder above it, decides. */
export function readDockerignore(root: string): (file: string) => boolean {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ sent: line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  return (file) => {
    const parts = file.split('/');
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const decisive = rules.findLast(({ pattern }) => paths.some((path) => matchesGlob(path, pattern)));
    return decisive?.sent ?? true;
  };
}

/** Every repository file that an image holds, relative to the root, as it is laid out under /app. */
export function filesOfImage(root: string, stages: ReadonlyMap<string, Stage>, image: string): Set<string> {
  const instructions = withAncestors(stages, image);
  const sent = readDockerignore(root);
  const own = copiesOf(instructions).flatMap(({ sources }) => sources.flatMap((source) => filesBelow(root, source)));
  const others = treesOf(instructions).flatMap((stage) => [...filesOfImage(root, stages, stage)]);
  return new Set([...own.filter(sent), ...others]);
}

function filesBelow(root: string, source: string): string[] {
  if (!statSync(join(root, source)).isDirectory()) return [source];
  return globSync(`${source}/**/*`, { cwd: root, exclude: ['**/node_modules'] }).filter((file) =>
    statSync(join(root, file)).isFile(),
  );
}
