import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openWorkspace, type Workspace } from '../../test/workspace.ts';
import type { ServerDefinition } from '../world/index.ts';

const require = createRequire(import.meta.url);
const packageFolder = (name: string, from = require) => dirname(from.resolve(`${name}/package.json`));
const languages = { '.ts': 'typescript', '.tsx': 'typescriptreact' };

/** The server people know, with the last compiler it can drive. */
const typescriptLanguageServer: ServerDefinition = {
  id: 'typescript-language-server',
  command: [process.execPath, join(packageFolder('typescript-language-server'), 'lib/cli.mjs'), '--stdio'],
  languages,
  initializationOptions: {
    // Its other half would answer from single files while the project is still being read.
    tsserver: { path: join(packageFolder('typescript'), 'lib/tsserver.js'), useSyntaxServer: 'never' },
  },
};

/** The server that later compilers carry themselves: the one this repository is checked with. */
const root = createRequire(fileURLToPath(new URL('../../../../package.json', import.meta.url)));
const nativeCompiler: ServerDefinition = {
  id: 'tsc',
  command: [process.execPath, join(packageFolder('typescript', root), 'bin/tsc'), '--lsp', '--stdio'],
  languages,
};

function writeProject({ cwd }: Workspace): void {
  mkdirSync(join(cwd, 'src'));
  writeFileSync(join(cwd, 'tsconfig.json'), '{"compilerOptions":{"strict":true,"lib":["es2022"]},"include":["src"]}');
  writeFileSync(
    join(cwd, 'src/shape.ts'),
    '/** Has a size. */\nexport interface Shape {\n  area(): number;\n}\n\nexport class Square implements Shape {\n  area() { return 4; }\n}\n',
  );
  writeFileSync(
    join(cwd, 'src/main.ts'),
    "import { Square, type Shape } from './shape.ts';\n\nconst label = '🚀🚀'; export const shape: Shape = new Square();\nshape.area();\n",
  );
}

test.each([
  [typescriptLanguageServer.id, typescriptLanguageServer],
  [nativeCompiler.id, nativeCompiler],
])('%s answers about a real project', { timeout: 120_000 }, async (_id, definition) => {
  const workspace = await openWorkspace({ languageServers: [definition] });
  writeProject(workspace);
  const ask = async (operation: string, file_path: string, line: number, character: number) => {
    const { text } = await workspace.call('lsp', { operation, file_path, line, character });
    return text;
  };
  // Columns count the emojis as two units each.
  expect(await ask('goToDefinition', 'src/main.ts', 3, 56)).toBe('src/shape.ts:6:14');
  expect(await ask('goToDefinition', 'src/main.ts', 3, 44)).toBe('src/shape.ts:2:18');
  expect((await ask('findReferences', 'src/shape.ts', 6, 14)).split('\n').toSorted()).toEqual([
    'src/main.ts:1:10',
    'src/main.ts:3:55',
    'src/shape.ts:6:14',
  ]);
  expect(await ask('goToImplementation', 'src/shape.ts', 2, 18)).toBe('src/shape.ts:6:14');
  const hover = await ask('hover', 'src/main.ts', 3, 44);
  expect(hover).toContain('interface Shape');
  expect(hover).toContain('Has a size.');
  // What changed on disk between two questions is what the second is about.
  writeFileSync(join(workspace.cwd, 'src/late.ts'), 'function late() {}\n\nlate();\n');
  expect(await ask('goToDefinition', 'src/late.ts', 3, 1)).toBe('src/late.ts:1:10');
});
