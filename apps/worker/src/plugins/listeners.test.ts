import type { CallId, SessionId, TenantId } from '@everturn/core/domain';
import { describe, expect, test } from 'vitest';
import { askAround, askSerially, askWaterfall, runInOrder, tellAll, type Listener } from './listeners.ts';

const context = {
  initiator: { tenant: 't' as TenantId, session: 's' as SessionId, turn: 1, step: 2 },
  signal: new AbortController().signal,
};
const config = { provider: 'p', model: 'm' };

describe('a waterfall', () => {
  const ask = (listeners: Listener<'agent/request'>[]) =>
    askWaterfall<'agent/request'>({ listeners, input: { config }, context, fallback: config });

  test('the first listener is the outermost and may change what the inner ones decided', async () => {
    expect(
      await ask([
        async (_event, next) => ({ ...(await next()), temperature: 1 }),
        (event) => ({ ...event.config, model: 'other', temperature: 0 }),
        () => ({ ...config, model: 'never asked' }),
      ]),
    ).toEqual({ provider: 'p', model: 'other', temperature: 1 });
  });

  test('without listeners, or when all pass on, the fallback holds', async () => {
    expect(await ask([])).toEqual(config);
    expect(await ask([(_event, next) => next(), (_event, next) => next()])).toEqual(config);
  });

  test('asking twice runs the inner listeners once', async () => {
    let runs = 0;
    await ask([
      async (_event, next) => {
        await next();
        return next();
      },
      (_event, next) => {
        runs += 1;
        return next();
      },
    ]);
    expect(runs).toBe(1);
  });

  test('what a listener throws is thrown', async () => {
    await expect(ask([(_event, next) => next(), () => Promise.reject(new Error('no'))])).rejects.toThrow('no');
  });
});

test('serial listeners run in order until one decides', async () => {
  const ran: number[] = [];
  const listener =
    (n: number, decision: { action: 'stop' } | undefined): Listener<'agent/turn-stop'> =>
    (event) => {
      ran.push(n, event.initiator.turn);
      return decision;
    };
  const decision = await askSerially<'agent/turn-stop'>({
    listeners: [listener(1, undefined), listener(2, { action: 'stop' }), listener(3, undefined)],
    input: {},
    context,
    fallback: undefined,
  });
  expect([decision, ran]).toEqual([{ action: 'stop' }, [1, 1, 2, 1]]);
});

test('telling reaches every listener and collects what they throw', async () => {
  const reached: string[] = [];
  const errors = await tellAll<'session/flush'>({
    listeners: [
      () => {
        throw new Error('first');
      },
      () => {
        reached.push('second');
      },
    ],
    input: {},
    context,
  });
  expect([errors, reached]).toEqual([[new Error('first')], ['second']]);
});

test('listeners in sequence all run, whatever they return, until one throws', async () => {
  const ran: string[] = [];
  const running = runInOrder<'agent/pre-step'>({
    listeners: [
      (() => ran.push('first')) as unknown as Listener<'agent/pre-step'>,
      () => {
        ran.push('second');
        throw new Error('no step');
      },
      () => void ran.push('third'),
    ],
    input: {},
    context,
  });
  await expect(running).rejects.toThrow('no step');
  expect(ran).toEqual(['first', 'second']);
});

describe('wrappers around a body', () => {
  const result = (value: string) => ({ content: [{ type: 'text' as const, text: value }], isError: false });
  const input = { call: { callId: 'c' as CallId, name: 'x', arguments: {} } };

  test("may add a signal, never take the caller's away, and run the body once", async () => {
    const caller = new AbortController();
    const own = new AbortController();
    let within: AbortSignal | undefined;
    let runs = 0;
    const answer = await askAround<'tools/execute'>({
      listeners: [
        async (_event, next) => {
          await next({ signal: own.signal });
          return next();
        },
        (_event, next) => next({}),
      ],
      input,
      context: { ...context, signal: caller.signal },
      body: (signal) => {
        within = signal;
        runs += 1;
        return result('ran');
      },
    });
    expect([answer, runs]).toEqual([result('ran'), 1]);
    caller.abort();
    expect(within?.aborted).toBe(true);
  });

  test('may answer instead of the body', async () => {
    const body = () => {
      throw new Error('must not run');
    };
    const listeners: Listener<'tools/execute'>[] = [() => result('cached')];
    expect(await askAround<'tools/execute'>({ listeners, input, context, body })).toEqual(result('cached'));
  });
});
