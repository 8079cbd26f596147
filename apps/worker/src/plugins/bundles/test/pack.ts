import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Package {
  version?: string;
  code: string;
  manifest?: object;
  files?: Record<string, string>;
}

/** Code of a package with two plugins, one of which brings the tool `greet`. */
export const GREETING = `
import { definePlugin, defineTool, implementTool, text } from '@everturn/worker/plugin';
const greet = implementTool(
  defineTool({ name: 'greet', description: 'Says hello.', parameters: { type: 'object', properties: {} }, home: 'host', effect: 'idempotent' }),
  async () => ({ content: [text('hello from the bundle')] }),
);
const adapter = { id: 'parrot', name: 'Parrot', models: () => [], context: () => undefined, async *stream() {} };
const parrot = { id: 'parrot', name: 'Parrot', adapter };
const bow = { name: 'bow', description: 'How one bows.', instructions: 'Low.' };
export default [
  definePlugin({ name: 'greeting', description: 'Greets.', tools: [greet], prompts: [{ name: 'greeting', order: 200, text: 'Greet.' }] }),
  definePlugin({ name: 'guarding', hooks: { 'tools/guard': () => undefined }, providers: [parrot], skills: [bow] }),
];`;

/** Packs npm packages below a folder and says where each lies. */
export const packIn =
  (folder: string) =>
  (name: string, { version = '1.0.0', code, manifest, files = {} }: Package): string => {
    const source = mkdtempSync(join(folder, 'source-'));
    const whole = { name, version, type: 'module', main: 'index.js', ...manifest };
    const contents = { 'package.json': JSON.stringify(whole), 'index.js': code, ...files };
    for (const [file, text] of Object.entries(contents)) {
      mkdirSync(join(source, 'package', file, '..'), { recursive: true });
      writeFileSync(join(source, 'package', file), text);
    }
    const packed = join(source, `${name}-${version}.tgz`);
    execFileSync('tar', ['-czf', packed, '-C', source, 'package']);
    return packed;
  };
