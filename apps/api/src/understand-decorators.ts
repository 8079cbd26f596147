import { readFileSync } from 'node:fs';
import { registerHooks, setSourceMapsSupport } from 'node:module';
import { fileURLToPath } from 'node:url';
import { OxcTransformer } from '@oxc-node/core';

/** Where the classes with decorators are. */
const here = new URL('.', import.meta.url).href;
const DECORATOR = /^\s*@[A-Z]\w*\(/m;
const MAP = '\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,';

/**
 * Teaches Node the decorators of NestJS, in files that have some; all others are left to Node, which strips their types
 * and keeps what it compiled. Works in this thread: hooks in one of their own would make the API start twice as slowly.
 */
export function understandDecorators(): void {
  const transformer = new OxcTransformer(fileURLToPath(here));
  setSourceMapsSupport(true);
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith(here)) return nextLoad(url, context);
      const path = fileURLToPath(url);
      const source = readFileSync(path, 'utf8');
      if (!DECORATOR.test(source)) return nextLoad(url, context);
      const output = transformer.transform(path, source);
      const map = Buffer.from(output.sourceMap() ?? '{}').toString('base64');
      return { format: 'module', shortCircuit: true, source: `${output.source()}${MAP}${map}` };
    },
  });
}
