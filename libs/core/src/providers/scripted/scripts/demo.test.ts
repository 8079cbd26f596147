import { execFile } from 'node:child_process';
import { cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ContentBlock, Message, ToolCallBlock } from '../../../domain/index.ts';
import { startScriptedModel } from '../start-scripted-model.ts';
import { fixes } from './demo-fixes.ts';
import { answerOf, askScript, scriptedRegistry, user } from '../testing/scripted-client.ts';

type Arguments = Record<string, string>;
type Tools = Record<string, (input: Arguments) => Promise<string>>;

/** The file whose fix comes through before the restart. */
const EDITED_BEFORE = fixes[0]!.file;
const project = new URL('../../../../../../infra/demo/workspace', import.meta.url).pathname;

/** The few tools the demo calls, doing their work on a real folder and answering in the product's formats. */
function toolsFor(folder: string): Tools {
  const text = (path = '') => readFile(join(folder, path), 'utf8');
  const paths = async () => await sorted(glob('**/*.ts', { cwd: folder }));
  return {
    todo_write: async ({ todos }) => {
      const count = (status: string) => (JSON.stringify(todos).match(new RegExp(`"${status}"`, 'g')) ?? []).length;
      return `Updated todo list: ${count('pending')} pending, ${count('in_progress')} in progress, ${count('completed')} completed.`;
    },
    glob: async () => (await paths()).join('\n'),
    grep: async ({ pattern = '' }) => {
      const hits = await Promise.all(
        (await paths()).map(async (path) => (await text(path)).match(new RegExp(pattern, 'gm')) ?? []),
      );
      return `Found ${hits.flat().length} matches\n`;
    },
    read: async ({ file_path }) => {
      const lines = (await text(file_path)).trimEnd().split('\n');
      const body = lines.map((line, n) => `${n + 1}: ${line}`).join('\n');
      return `<path>${folder}/${file_path}</path>\n<type>file</type>\n<content>\n${body}\n\n(End of file - total ${lines.length} lines)\n</content>`;
    },
    edit: async ({ file_path = '', old_string = '', new_string = '' }) => {
      const before = await text(file_path);
      if (before.split(old_string).length !== 2) throw new Error(`old_string must occur once in ${file_path}`);
      await writeFile(
        join(folder, file_path),
        before.replace(old_string, () => new_string),
      );
      return `The file ${folder}/${file_path} has been updated successfully.`;
    },
    write: async ({ file_path = '', content = '' }) => {
      await writeFile(join(folder, file_path), content);
      return `<path>${folder}/${file_path}</path>\n<type>file</type>\n<content>\nCreated file\n</content>`;
    },
    bash: ({ command = '' }) =>
      new Promise((resolve) => {
        execFile('bash', ['-c', command], { cwd: folder, env: { PATH: process.env.PATH } }, (error, stdout) =>
          resolve(error ? `${stdout}\n[exit code: ${error.code}]` : stdout),
        );
      }),
  };
}

async function sorted(found: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const path of found) all.push(path);
  return all.toSorted();
}

async function play(tools: Tools): Promise<{ text: string; steps: string[][] }> {
  await using model = await startScriptedModel({ pace: 'instant' });
  const registry = scriptedRegistry(model.url);
  const messages: Message[] = [user('Make the tests pass.')];
  const steps: string[][] = [];
  for (;;) {
    const { content, text } = await answerOf(registry.stream(askScript('scripted-demo', messages)));
    const calls = content.filter((block): block is ToolCallBlock => block.type === 'tool-call');
    if (calls.length === 0) return { text, steps };
    steps.push(calls.map((block) => block.name));
    messages.push({ role: 'assistant', content });
    for (const block of calls) {
      const output = await tools[block.name]?.(JSON.parse(block.arguments) as Arguments);
      const result: ContentBlock[] = [{ type: 'text', text: output ?? 'no such tool' }];
      messages.push({ role: 'user', content: [{ type: 'tool-result', toolCallId: block.id, content: result }] });
    }
  }
}

async function onCopy<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'everturn-demo-'));
  try {
    await cp(project, folder, { recursive: true });
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('finds, fixes and reports the bugs of the project', async () => {
  await onCopy(async (folder) => {
    const { text, steps } = await play(toolsFor(folder));
    expect(steps).toEqual([
      ['todo_write'],
      ['glob'],
      ['grep'],
      ['read', 'read', 'read'],
      ['todo_write'],
      ['bash'],
      ['todo_write'],
      ['edit', 'edit', 'edit'],
      ['todo_write'],
      ['bash'],
      ['todo_write'],
      ['write'],
      ['todo_write'],
    ]);
    expect(text).toMatch(/^All 9 tests pass; 3 of them failed before\./);
    expect(await readFile(join(folder, 'REPORT.md'), 'utf8')).toContain('After: 9 tests pass, 0 fail.');
  });
});

it('reads again when the worker was restarted and knows of no reading', async () => {
  await onCopy(async (folder) => {
    const tools = toolsFor(folder);
    let readings = 0;
    const { text, steps } = await play({
      ...tools,
      read: async (args) => {
        readings += 1;
        return tools['read']!(args);
      },
      edit: async (args) =>
        readings > 3 || args['file_path']?.endsWith(EDITED_BEFORE)
          ? tools['edit']!(args)
          : 'Error: edit requires reading it first — read the file, then retry',
    });
    expect(steps.slice(7, 10)).toEqual([
      ['edit', 'edit', 'edit'],
      ['read', 'read'],
      ['edit', 'edit'],
    ]);
    expect(text).toMatch(/^All 9 tests pass; 3 of them failed before\./);
  });
});

it.each<[string, (tools: Tools) => Tools, RegExp]>([
  [
    'edit changes nothing',
    (tools) => ({ ...tools, edit: async () => 'The file x has been updated successfully.' }),
    /3 tests still fail and 6 of 9 pass/,
  ],
  ['read gives nothing', (tools) => ({ ...tools, read: async () => '' }), /`read` answered what I did not expect/],
  [
    'grep finds nothing',
    (tools) => ({ ...tools, grep: async () => 'No matches found' }),
    /`grep` answered what I did not expect/,
  ],
  [
    'bash is not there',
    (tools) => ({ ...tools, bash: async () => 'bash: node: command not found\n[exit code: 127]' }),
    /`bash` answered what I did not expect/,
  ],
  [
    'write fails',
    (tools) => ({ ...tools, write: async () => 'Error: cannot write' }),
    /`write` answered what I did not expect/,
  ],
])(
  'says so when %s',
  async (_what, broken, reason) => {
    await onCopy(async (folder) => {
      const { text } = await play(broken(toolsFor(folder)));
      expect(text).toMatch(/^This did not go as it should: /);
      expect(text).toMatch(reason);
    });
  },
  30_000,
);

it.each([['No files found'], ['src/other.ts\nsrc/order.ts']])(
  'touches nothing where the project is not, and says who it is: %s',
  async (listed) => {
    const { text, steps } = await play({ ...toolsFor('/nowhere'), glob: async () => listed });
    expect(steps).toEqual([['todo_write'], ['glob']]);
    expect(text).toMatch(/^I am a script and no model\. /);
    expect(text).toContain(listed);
  },
);
