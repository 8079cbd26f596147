import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The values of dynamicconfig.yaml as flags of `temporal server start-dev`, which cannot read the file. */
export function dynamicConfigFlags(): string[] {
  const text = readFileSync(new URL('./dynamicconfig.yaml', import.meta.url), 'utf8');
  const settings = parse(text) as Record<string, { value: unknown }[]>;
  return Object.entries(settings).flatMap(([name, values]) => [
    '--dynamic-config-value',
    `${name}=${JSON.stringify(values[0]?.value)}`,
  ]);
}
