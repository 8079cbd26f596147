import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { text, type SessionId } from '@everturn/core/domain';
import { startScriptedModel, waitFor, type ScriptedModel } from '@everturn/core/testing';
import type { Interception } from '../contract/index.ts';
import { author, closeTestProjection, newSession, openTestProjection } from '../projection/test/test-session.ts';
import { interceptActivity } from '../activities/intercept.ts';
import {
  about,
  answerOf,
  askAbout,
  claude,
  codex,
  fromHooks,
  group,
  print,
  testHooks,
  type TestHooksInput,
} from './testing/test-hooks.ts';
import { apiOf, attempt } from '../activities/testing/test-process.ts';
import { insideStep } from '../activities/testing/test-turn.ts';

let model: ScriptedModel;
let projection: Awaited<ReturnType<typeof newSession>>['projection'];
let folder: string;

beforeAll(async () => {
  await openTestProjection();
  projection = (await newSession()).projection;
  model = await startScriptedModel();
});
afterAll(async () => {
  await model.close();
  await closeTestProjection();
});
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'everturn-hook-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const withHooks = (content: unknown, more: Pick<TestHooksInput, 'warnings' | 'epoch'> = {}) =>
  testHooks({ projection, model, folder, content, ...more });

const { preTool, postTool, submit, start, stop } = about;

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
    const order = join(folder, 'order');
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

describe('where a decision takes effect', () => {
  test('UserPromptSubmit: a refusal blocks the message, context goes along with it', async () => {
    const blocks = await withHooks(claude('UserPromptSubmit', group('exit 2')));
    expect(await blocks.ask(submit)).toMatchObject({
      decision: { action: 'block', reason: 'blocked by UserPromptSubmit hook' },
    });
    const more = { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'it rains' } };
    const adds = await withHooks({
      ...claude('UserPromptSubmit', group(print(more))),
      ...codex('UserPromptSubmit', group('echo plain')),
    });
    expect(await adds.ask(submit)).toMatchObject({
      decision: { action: 'allow', additionalContexts: [fromHooks('it rains'), fromHooks('plain')] },
    });
  });

  test('PostToolUse: a refusal is what the model reads instead', async () => {
    const { ask } = await withHooks(claude('PostToolUse', group(print({ decision: 'block', reason: 'look again' }))));
    expect(await ask(postTool)).toMatchObject({ decision: { action: 'block', feedback: [text('look again')] } });
    const more = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'by the way' } };
    const adds = await withHooks(codex('PostToolUse', group(print(more))));
    expect(await adds.ask(postTool)).toMatchObject({
      decision: { action: 'accept', additionalContexts: [fromHooks('by the way')] },
    });
  });

  test('Stop: a refusal makes the turn go on, unless it goes on anyway', async () => {
    const { ask } = await withHooks(claude('Stop', group('echo tests fail >&2; exit 2')));
    expect(await ask(stop)).toMatchObject({
      decision: { action: 'continue', reason: { content: [text('The Stop hook wants you to continue: tests fail')] } },
    });
    expect(await ask({ ...stop, decision: 'continue' } as Interception)).toEqual({
      kind: 'decided',
      decision: { action: 'continue' },
    });
  });

  test('Stop: one that refuses again and again does not keep a turn running', async () => {
    const { deps } = await withHooks(claude('Stop', group('exit 2')));
    const input = await askAbout(deps, stop);
    const write = author('t1', 2, input.generation);
    const events = Array.from({ length: 8 }, (_, n) => {
      const ran = { turn: 1, point: stop.point, handlerId: `claude.Stop.0.0@t1.s${n}` };
      return [
        write('hook/invoked', { ...ran, dialect: 'claude' }),
        write('hook/result', { ...ran, decision: 'deny', durationMs: 1 }),
      ];
    });
    const commit = { events: events.flat(), highestAcknowledged: -1 };
    expect(await answerOf(deps, { ...input, commit })).toEqual({ kind: 'decided', decision: { action: 'stop' } });
  });

  test('an agent that works for another session starts and stops by events of its own, where the dialect has them', async () => {
    const asked = join(folder, 'asked');
    const say = (word: string) => group(`echo ${word} >> ${asked}`);
    const more = { hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: 'keep it short' } };
    const { deps } = await withHooks({
      claude: {
        hooks: {
          SessionStart: [say('claude-start')],
          SubagentStart: [
            { ...group(print(more)), matcher: 'general-purpose' },
            { ...say('never'), matcher: 'reviewer' },
          ],
          Stop: [say('claude-stop')],
          SubagentStop: [group(`cat >> ${asked}; echo unfinished >&2; exit 2`)],
        },
      },
      codex: { hooks: { SessionStart: [say('codex-start')], Stop: [say('codex-stop')] } },
    });
    const askAgent = async (interception: Interception) =>
      answerOf(deps, { ...(await askAbout(deps, interception)), owner: 'lead' as SessionId });
    expect(await askAgent(start)).toMatchObject({ contexts: [fromHooks('keep it short')] });
    const stopped = await askAgent(stop);
    expect(stopped).toMatchObject({
      decision: {
        action: 'continue',
        reason: { content: [text('The SubagentStop hook wants you to continue: unfinished')] },
      },
    });
    const lines = readFileSync(asked, 'utf8').trimEnd().split('\n');
    expect([lines[0], lines[2]]).toEqual(['codex-start', 'codex-stop']);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ session_id: 'lead', agent_id: expect.stringMatching(/^s-/) });
  });

  test('SessionStart: what it says is for the model, and it refuses nothing', async () => {
    const { ask } = await withHooks(
      codex('SessionStart', { ...group('echo remember; exit 0'), matcher: 'resume' }, group('exit 2')),
    );
    expect(await ask(start)).toMatchObject({
      kind: 'decided',
      decision: null,
      contexts: [fromHooks('remember')],
      hooks: [{ result: { decision: 'pass' } }, { result: { decision: 'deny', exitCode: 2 } }],
    });
  });
});

describe('what a program gets', () => {
  test('its event on standard input, where it works, and none of the worker’s secrets', async () => {
    const { ask } = await withHooks({
      claude: {
        hooks: { PreToolUse: [group(`cat > ${folder}/in; env > ${folder}/env; pwd > ${folder}/pwd`)] },
        pluginRoot: '/opt/hooks',
      },
    });
    process.env['OPENAI_API_KEY'] = 'sk-not-for-hooks';
    try {
      await ask(preTool);
    } finally {
      delete process.env['OPENAI_API_KEY'];
    }
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
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
    const { ask } = await withHooks(codex('PreToolUse', group(`cat > ${folder}/in`)));
    await ask(preTool);
    const input = readFileSync(join(folder, 'in'), 'utf8');
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
    const { ask } = await withHooks(claude('PreToolUse', group('sleep 100 & wait', { timeout: 0.3 })));
    expect(await ask(preTool)).toMatchObject({
      decision: { action: 'allow' },
      hooks: [{ result: { decision: 'pass', stderrSummary: 'it was ended after 300 ms' } }],
    });
  });

  test('is ended when its turn is stopped; hooks after it are not run', async () => {
    const ran = join(folder, 'ran');
    const { deps } = await withHooks(claude('PreToolUse', group(`echo > ${ran}; sleep 100`), group(`echo > ${ran}-2`)));
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
  const ran = join(folder, 'ran');
  const content = claude(
    'PreToolUse',
    group(`echo first >> ${ran}; exit 2`),
    group(`echo second >> ${ran}; sleep 100`),
  );
  const dying = await withHooks(content, { epoch: 1 });
  const input = await askAbout(dying.deps, preTool);
  const first = attempt(interceptActivity(dying.deps), input);
  await waitFor(() => existsSync(ran) && readFileSync(ran, 'utf8').includes('second'), { what: 'the second hook' });
  await sql`insert into hosts (host_id, epoch, last_seen, holder, roots) values ('hooked', 2, now(), 'x', '[]')`.execute(
    projection.database,
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
