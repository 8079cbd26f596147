import { describe, expect, test } from 'vitest';
import { text, type CallId } from '@everturn/core/domain';
import type { InterceptInput, Interception, RequestedCall } from '../contract/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { interceptActivity } from './intercept.ts';
import { model, projection } from './testing/servers.ts';
import { apiOf, attempt, testProcess } from './testing/test-process.ts';
import { insideStep } from './testing/test-turn.ts';

const process = (): Promise<ActivityDeps> => testProcess({ projection, model });

async function inputFor(deps: ActivityDeps, interception: Interception): Promise<InterceptInput> {
  const { ref } = await insideStep(deps);
  const claim = `t1.s1.hook:${interception.point}:`;
  return { ...ref, turn: 1, step: 1, claim, interception, commit: { events: [], highestAcknowledged: -1 } };
}

async function ask(deps: ActivityDeps, interception: Interception) {
  const {
    acks: _acks,
    registry: _registry,
    ...answer
  } = await attempt(interceptActivity(deps), await inputFor(deps, interception)).result;
  return answer;
}

const source = { kind: 'user' as const };
const call: RequestedCall = {
  index: 0,
  callId: 'c1' as CallId,
  name: 'read',
  arguments: '{"a":1}',
  concurrency: 'exclusive',
};
const outcome = { content: [text('found')], isError: false };
const submit: Interception = { point: 'agent/prompt-submit', content: [text('hello')], source };

describe('without a listener that decides, the default holds', () => {
  test.each<[Interception, unknown]>([
    [{ point: 'agent/session-start', source: 'startup' }, null],
    [submit, { action: 'allow' }],
    [{ point: 'agent/session-prefix' }, { messages: [] }],
    [{ point: 'agent/pre-step' }, null],
    [{ point: 'agent/request', config: { provider: 'p', model: 'm' } }, { config: { provider: 'p', model: 'm' } }],
    [{ point: 'agent/request-error', failure: { code: 'SERVER', message: '' }, priorFailures: [] }, { action: 'fail' }],
    [{ point: 'agent/post-step', aborted: true }, null],
    [{ point: 'agent/turn-continuation', decision: 'continue' }, { action: 'continue' }],
    [{ point: 'agent/turn-stop' }, { action: 'abstain' }],
    [{ point: 'tools/pre-execute', call }, { action: 'allow' }],
    [{ point: 'tools/guard', call }, { action: 'pass' }],
    [{ point: 'tools/post-execute', call, outcome }, { action: 'accept' }],
    [{ point: 'tools/result', call, outcome }, null],
    [{ point: 'session/flush' }, null],
  ])('%j', async (interception, decision) => {
    expect(await ask(await process(), interception)).toEqual({ kind: 'decided', decision });
  });
});

describe('a listener', () => {
  test('is told who asks and what it is about, and its decision counts', async () => {
    const deps = await process();
    const told: unknown[] = [];
    apiOf(deps).on('tools/pre-execute', ({ call: observed, initiator }) => {
      told.push(observed, { ...initiator, session: '' });
      return { action: 'ask', reason: undefined } as never;
    });
    expect(await ask(deps, { point: 'tools/pre-execute', call })).toEqual({
      kind: 'decided',
      decision: { action: 'ask' },
    });
    expect(told).toEqual([
      { callId: 'c1', name: 'read', arguments: { a: 1 } },
      { tenant: 'acme', session: '', turn: 1, step: 1, callId: 'c1' },
    ]);
  });

  test('that ran once is not asked again', async () => {
    const deps = await process();
    let asked = 0;
    apiOf(deps).on('agent/prompt-submit', () => ({ action: 'block', reason: `asked ${++asked} times` }));
    const input = await inputFor(deps, submit);
    const first = await attempt(interceptActivity(deps), input).result;
    expect(await attempt(interceptActivity(deps), input).result).toEqual(first);
    expect(first).toMatchObject({ decision: { action: 'block', reason: 'asked 1 times' } });
  });

  test('may replace the message; its calls are classified anew', async () => {
    const deps = await process();
    const provenance = { provider: 'p', model: 'm' };
    const interception: Interception = { point: 'agent/step-result', content: [text('a')], provenance };
    const same = await ask(deps, interception);
    apiOf(deps).on('agent/step-result', async (_event, next) => [
      ...(await next()),
      { type: 'tool-call', id: 'c9' as CallId, name: 'nope', arguments: '' },
    ]);
    expect([same, await ask(deps, interception)]).toMatchObject([
      { decision: { content: [text('a')], replaced: false, calls: [] } },
      { decision: { replaced: true, calls: [{ index: 0, callId: 'c9', concurrency: 'exclusive' }] } },
    ]);
  });

  test('sees the whole of a long result; what it accepts is bounded', async () => {
    const deps = await process();
    let seen = 0;
    apiOf(deps).on('tools/post-execute', ({ result: { content } }, next) => {
      seen = content[0]?.type === 'text' ? content[0].text.length : 0;
      return next();
    });
    const { tenant } = (await insideStep(deps)).ref;
    const content = await deps.values.travel(tenant, [text('x'.repeat(80_000))]);
    const answer = await ask(deps, {
      point: 'tools/post-execute',
      call: { ...call, name: 'bash' },
      outcome: { content, isError: false },
    });
    const decision = answer.kind === 'decided' ? (answer.decision as unknown as { content: never }) : undefined;
    const [block] = await deps.values.resolve<{ text: string }[]>(tenant, decision?.content ?? []);
    expect(seen).toBe(80_000);
    expect(block?.text).toMatch(/^x+.*Full formatted result stored at: /s);
  });
});

describe('a listener that throws', () => {
  const broken = () => {
    throw Object.assign(new Error('broken', { cause: new Error('because') }), { code: 'E_POLICY' });
  };

  test.each<[Interception]>([[submit], [{ point: 'agent/pre-step' }], [{ point: 'tools/guard', call }]])(
    'is the answer at %j',
    async (interception) => {
      const deps = await process();
      apiOf(deps).on(interception.point, broken);
      expect(await ask(deps, interception)).toEqual({ kind: 'threw', message: 'broken: because', code: 'E_POLICY' });
    },
  );

  test.each<[Interception, unknown]>([
    [{ point: 'agent/session-start', source: 'resume' }, null],
    [{ point: 'tools/result', call, outcome }, null],
    [{ point: 'agent/request-error', failure: { code: 'SERVER', message: '' }, priorFailures: [] }, { action: 'fail' }],
  ])('is contained at %j', async (interception, decision) => {
    const deps = await process();
    apiOf(deps).on(interception.point, broken);
    expect(await ask(deps, interception)).toEqual({ kind: 'decided', decision });
  });

  test('at a flush lets the others run first', async () => {
    const deps = await process();
    let ran = 0;
    apiOf(deps).on('session/flush', broken);
    apiOf(deps).on('session/flush', () => void (ran += 1));
    expect([await ask(deps, { point: 'session/flush' }), ran]).toMatchObject([{ kind: 'threw' }, 1]);
  });
});

describe('a listener that hangs', () => {
  const hanging = async (interception: Interception) => {
    const deps = { ...(await process()), listenerTimeoutMs: 50 };
    let told: AbortSignal | undefined;
    apiOf(deps).on(interception.point, ({ signal }) => {
      told = signal;
      return new Promise(() => undefined);
    });
    const answer = await ask(deps, interception);
    return { answer, stopped: told?.aborted };
  };

  test('counts as one that threw, and is told to stop', async () => {
    expect(await hanging({ point: 'tools/pre-execute', call })).toEqual({
      answer: {
        kind: 'threw',
        code: 'PLUGIN_TIMEOUT',
        message: 'the listeners of tools/pre-execute did not answer within 50 ms',
      },
      stopped: true,
    });
  });

  test('has no more time than its turn left it when that was stopped', async () => {
    const deps = await process();
    apiOf(deps).on('agent/post-step', () => new Promise(() => undefined));
    const input = { ...(await inputFor(deps, { point: 'agent/post-step', aborted: true })), within: 20 };
    expect(await attempt(interceptActivity(deps), input).result).toMatchObject({ code: 'PLUGIN_TIMEOUT' });
  });
});
