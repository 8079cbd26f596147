import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxMode } from '@everturn/core/domain';
import { describe, expect, test } from 'vitest';
import { temporaryHome } from '../../../test/confined.ts';
import { missing, runnerSearch } from '../../../test/runners.ts';
import { hover } from '../../../test/scripted-server.ts';
import { openWorkspace, temporaryDirectory } from '../../../test/workspace.ts';
import { findBubblewrap } from '../sandbox/find-bubblewrap.ts';
import { findLandlock } from '../sandbox/find-landlock.ts';
import { LocalSandbox } from '../sandbox/local-sandbox.ts';

/** A server of the workspace's own, as its TypeScript is: asked for help, it writes where it can, and says for whom it works. */
const SERVER = `
import { writeFileSync } from 'node:fs';
let rest = Buffer.alloc(0);
let client;
const say = (message) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write('Content-Length: ' + body.length + '\\r\\n\\r\\n' + body);
};
const attempt = (path) => {
  try { writeFileSync(path, 'x'); return 'written'; } catch (error) { return 'refused'; }
};
const answers = {
  initialize: ({ processId }) => { client = processId; return { capabilities: { hoverProvider: true, textDocumentSync: 1 } }; },
  'textDocument/hover': () => ({
    contents: [client === null ? 'nobody' : 'somebody', attempt('made'), attempt('../outside/made'),
      attempt(process.env.TMPDIR + '/made')].join(' '),
  }),
};
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (;;) {
    const head = rest.indexOf('\\r\\n\\r\\n');
    const end = head + 4 + Number(/Content-Length: (\\d+)/i.exec(rest.subarray(0, Math.max(head, 0)))?.[1] ?? Infinity);
    if (rest.length < end) return;
    const { id, method, params } = JSON.parse(rest.subarray(head + 4, end));
    rest = rest.subarray(end);
    if (method === 'exit') process.exit();
    if (id !== undefined) say({ id, result: answers[method]?.(params) ?? null });
  }
});
`;

const runners = [
  ['bubblewrap', await missing('bubblewrap'), findBubblewrap],
  ['landlock', await missing('landlock'), findLandlock],
] as const;

describe.each(runners)('a server under %s%s', (_name, note, find) => {
  const start = async (home: string) => {
    const [cwd, outside] = [join(home, 'workspace'), join(home, 'outside')];
    for (const folder of [cwd, outside]) mkdirSync(folder);
    writeFileSync(join(cwd, 'server.mjs'), SERVER);
    writeFileSync(join(cwd, 'a.demo'), 'let a;');
    const command = [process.execPath, join(cwd, 'server.mjs')];
    const { call } = await openWorkspace({
      languageServers: [{ id: 'demo', command, languages: { '.demo': 'demo' } }],
      sandbox: new LocalSandbox(runnerSearch, [find]),
    });
    const ask = async (mode: SandboxMode) =>
      (await call('lsp', hover('a.demo'), { cwd, sandbox: { mode, root: cwd } })).text;
    return { ask, outside };
  };

  test.skipIf(note)('may do what a command of its session may', async () => {
    const { ask, outside } = await start(temporaryHome());
    expect(await ask('read-only')).toBe('nobody refused refused written');
    expect(await ask('workspace-write')).toBe('nobody written refused written');
    expect(readdirSync(outside)).toEqual([]);
    expect(await ask('danger-full-access')).toBe('somebody written written written');
  });

  test.skipIf(note)('that may write nothing has one temporary folder, not all of them', async () => {
    const { ask } = await start(realpathSync(temporaryDirectory()));
    expect(await ask('read-only')).toBe('nobody refused refused written');
  });
});
