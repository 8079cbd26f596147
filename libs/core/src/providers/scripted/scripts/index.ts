import { readFileSync } from 'node:fs';
import { ScriptRules } from '../script.ts';
import type { Script } from '../script.ts';
import { demo } from './demo.ts';
import { echo } from './echo.ts';

/** The scripts that come with the product, by the model name they answer to. */
export function shippedScripts(): [string, Script][] {
  const faults = readFileSync(new URL('faults.json', import.meta.url), 'utf8');
  return [
    ['scripted-demo', demo],
    ['scripted-echo', echo],
    ['scripted-faults', ScriptRules.parse(JSON.parse(faults))],
  ];
}
