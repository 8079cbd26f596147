import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { text, type SessionId } from '@everturn/core/domain';
import type { Interception } from '../contract/index.ts';
import { author } from '../projection/test/test-session.ts';
import { hookWorkers } from './test/hook-workers.ts';
import { about, answerOf, askAbout, claude, codex, fromHooks, group, print } from './test/test-hooks.ts';

const { withHooks, inFolder } = hookWorkers();
const { postTool, submit, start, stop } = about;

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

test.each([
  ['one that refuses again and again does not keep a turn running', ['claude.Stop.0.0'], 8, 'stop'],
  ['several that refuse one end of a turn count once', ['claude.Stop.0.0', 'http.0'], 7, 'continue'],
])('Stop: %s', async (_what, hooks, rounds, action) => {
  const { deps } = await withHooks(claude('Stop', group('exit 2')));
  const input = await askAbout(deps, stop);
  const write = author('t1', 2, input.generation);
  const events = Array.from({ length: rounds }, (_, n) =>
    hooks.flatMap((hook) => {
      const ran = { turn: 1, point: stop.point, handlerId: `${hook}@t1.s${n}` };
      return [
        write('hook/invoked', { ...ran, dialect: 'claude' }),
        write('hook/result', { ...ran, decision: 'deny', durationMs: 1 }),
      ];
    }),
  );
  const commit = { events: events.flat(), highestAcknowledged: -1 };
  expect(await answerOf(deps, { ...input, commit })).toMatchObject({ kind: 'decided', decision: { action } });
});

test('an agent that works for another session starts and stops by events of its own, where the dialect has them', async () => {
  const asked = inFolder('asked');
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
