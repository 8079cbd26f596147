import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { interceptActivity } from '../activities/intercept.ts';
import { apiOf, attempt } from '../activities/testing/test-process.ts';
import { insideStep } from '../activities/testing/test-turn.ts';
import { hookWorkers } from './test/hook-workers.ts';
import { about, answerOf, askAbout, claude, codex, group, print } from './test/test-hooks.ts';

const { withHooks, inFolder, database } = hookWorkers();
const { preTool } = about;

describe('what a program does decides', () => {
  test('exit codes: 2 refuses with what it complained, any other but 0 stops nobody', async () => {
    const refuses = await withHooks(claude('PreToolUse', group('echo no >&2; exit 2')));
    expect(await refuses.ask(preTool)).toEqual({
      kind: 'decided',
      decision: { action: 'deny', reason: 'no' },
      hooks: [
        {
          invoked: {
            turn: 1,
            point: 'tools/pre-execute',
            dialect: 'claude',
            handlerId: 'claude.PreToolUse.0.0@t1.s1.c0',
          },
          result: {
            turn: 1,
            point: 'tools/pre-execute',
            handlerId: 'claude.PreToolUse.0.0@t1.s1.c0',
            decision: 'deny',
            exitCode: 2,
            stderrSummary: 'no',
            durationMs: expect.any(Number) as number,
          },
        },
      ],
    });
    const breaks = await withHooks(claude('PreToolUse', group('echo broken >&2; exit 1'), group('kill -9 $$')));
    expect(await breaks.ask(preTool)).toMatchObject({
      decision: { action: 'allow' },
      hooks: [
        { result: { decision: 'pass', exitCode: 1, stderrSummary: 'broken' } },
        { result: { decision: 'pass', stderrSummary: 'it was ended by SIGKILL' } },
      ],
    });
  });

  test('several: a refusal outweighs a question and a permission; all are asked, in order', async () => {
    const specific = (permissionDecision: string) => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'why' },
    });
    const order = inFolder('order');
    const say = (decision: string) => group(`echo ${decision} >> ${order}; ${print(specific(decision))}`);
    const all = await withHooks(claude('PreToolUse', say('allow'), say('deny'), say('ask')));
    expect(await all.ask(preTool)).toMatchObject({ decision: { action: 'deny', reason: 'why' } });
    expect(readFileSync(order, 'utf8')).toBe('allow\ndeny\nask\n');
    const two = await withHooks(claude('PreToolUse', say('allow'), say('ask')));
    expect(await two.ask(preTool)).toMatchObject({ decision: { action: 'ask', reason: 'why' } });
    const wrong = await withHooks(
      claude('PreToolUse', group(print({ hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny' } }))),
    );
    expect(await wrong.ask(preTool)).toMatchObject({
      decision: { action: 'allow' },
      hooks: [{ result: { decision: 'pass' } }],
    });
  });

  test('no hook grants what a plugin wants asked, and none is kept from being asked', async () => {
    const { deps, ask } = await withHooks(claude('PreToolUse', group(print({ decision: 'approve' }))));
    apiOf(deps).on('tools/pre-execute', () => ({ action: 'ask', reason: 'policy' }));
    expect(await ask(preTool)).toMatchObject({
      decision: { action: 'ask', reason: 'policy' },
      hooks: [{ result: { decision: 'allow' } }],
    });
  });

  test('a matcher chooses by the name of the tool', async () => {
    const refuse = group('exit 2');
    const { ask } = await withHooks(claude('PreToolUse', { ...refuse, matcher: 'write|edit' }));
    expect(await ask(preTool)).toEqual({ kind: 'decided', decision: { action: 'allow' } });
    const other = await withHooks(codex('PreToolUse', { ...refuse, matcher: '^ba' }));
    expect(await other.ask(preTool)).toMatchObject({
      decision: { action: 'deny', reason: 'blocked by PreToolUse hook' },
      hooks: [{ invoked: { matcher: '^ba', dialect: 'codex' } }],
    });
  });

  test('a matcher that is no expression takes the hooks of its dialect away, and says so', async () => {
    const warnings: unknown[] = [];
    const content = {
      ...claude('PreToolUse', group('exit 2'), { ...group('true'), matcher: '(' }),
      ...codex('Stop', group('true')),
    };
    const { deps, ask } = await withHooks(content, { warnings });
    expect(await ask(preTool)).toEqual({ kind: 'decided', decision: { action: 'allow' } });
    expect(warnings).toEqual([expect.stringContaining('no hook of claude is run')]);
    expect(deps.registry.view((await insideStep(deps)).ref).listenedPoints).toEqual(['agent/turn-continuation']);
  });
});

describe('what a program gets', () => {
  test('its event on standard input, where it works, and none of the worker’s secrets', async () => {
    const { ask } = await withHooks({
      claude: {
        hooks: { PreToolUse: [group(`cat > ${inFolder('in')}; env > ${inFolder('env')}; pwd > ${inFolder('pwd')}`)] },
        pluginRoot: '/opt/hooks',
      },
    });
    process.env['OPENAI_API_KEY'] = 'sk-not-for-hooks';
    try {
      await ask(preTool);
    } finally {
      delete process.env['OPENAI_API_KEY'];
    }
    const read = (name: string) => readFileSync(inFolder(name), 'utf8');
    const cwd = read('pwd').trim();
    const payload = JSON.parse(read('in')) as object;
    expect(payload).toMatchObject({
      hook_event_name: 'PreToolUse',
      transcript_path: '',
      cwd,
      tool_input: { command: 'ls' },
    });
    expect(read('in').endsWith('}\n')).toBe(true);
    const environment = read('env');
    expect(environment).toContain(`CLAUDE_PROJECT_DIR=${cwd}\n`);
    expect(environment).toContain('CLAUDE_PLUGIN_ROOT=/opt/hooks\n');
    expect(environment).not.toMatch(/sk-not-for-hooks|DATABASE_URL/);
  });

  test('codex reads no newline at the end, the model and the turn', async () => {
    const { ask } = await withHooks(codex('PreToolUse', group(`cat > ${inFolder('in')}`)));
    await ask(preTool);
    const input = readFileSync(inFolder('in'), 'utf8');
    expect(input.endsWith('}')).toBe(true);
    expect(JSON.parse(input)).toMatchObject({
      transcript_path: null,
      turn_id: '1',
      model: 'test',
      tool_input: { command: 'ls' },
    });
  });
});

describe('a program that does not come back', () => {
  test('is ended for its time with all it started, and stops nobody', async () => {
    const { ask } = await withHooks(claude('PreToolUse', group('sleep 600 & wait', { timeout: 0.3 })));
    expect(await ask(preTool)).toMatchObject({
      decision: { action: 'allow' },
      hooks: [{ result: { decision: 'pass', stderrSummary: 'it was ended after 300 ms' } }],
    });
  });

  test('is ended when its turn is stopped; hooks after it are not run', async () => {
    const ran = inFolder('ran');
    const { deps } = await withHooks(claude('PreToolUse', group(`echo > ${ran}; sleep 600`), group(`echo > ${ran}-2`)));
    const running = attempt(interceptActivity(deps), await askAbout(deps, preTool));
    await waitFor(() => existsSync(ran), { what: 'the hook' });
    running.cancel();
    expect(await running.result).toMatchObject({
      kind: 'threw',
      hooks: [{ result: { stderrSummary: 'its turn was stopped' } }],
    });
    expect(() => readFileSync(`${ran}-2`)).toThrow('ENOENT');
  });
});

test('a worker that dies between two hooks: the first is not run again, its refusal stands, and the second is lost', async () => {
  const ran = inFolder('ran');
  const content = claude(
    'PreToolUse',
    group(`echo first >> ${ran}; exit 2`),
    group(`echo second >> ${ran}; sleep 600`),
  );
  const dying = await withHooks(content, { epoch: 1 });
  const input = await askAbout(dying.deps, preTool);
  const first = attempt(interceptActivity(dying.deps), input);
  await waitFor(() => existsSync(ran) && readFileSync(ran, 'utf8').includes('second'), { what: 'the second hook' });
  await sql`insert into hosts (host_id, epoch, last_seen, holder, roots) values ('hooked', 2, now(), 'x', '[]')`.execute(
    database(),
  );
  dying.deps.effects.stopAll('lost');
  await first.result.catch(() => undefined);
  const next = await withHooks(content, { epoch: 2 });
  expect(await answerOf(next.deps, input)).toMatchObject({
    kind: 'decided',
    decision: { action: 'deny', reason: 'blocked by PreToolUse hook' },
    hooks: [
      { result: { exitCode: 2 } },
      { result: { decision: 'pass', stderrSummary: 'its worker was lost while it ran' } },
    ],
  });
  expect(readFileSync(ran, 'utf8')).toBe('first\nsecond\n');
});
