import type { ServerResponse } from 'node:http';
import { describe, expect, it, test } from 'vitest';
import { isLlmError } from '../../domain/index.ts';
import type { LlmFailure, StreamChunk } from '../../domain/index.ts';
import { openAiChatAdapter } from './adapter.ts';
import type { OpenAiChatConfig } from './config.ts';
import { choice, chunksOf, collect, configFor, frames, hello, rawProvider } from './testing/chat-provider.ts';

async function thrown(run: () => unknown): Promise<LlmFailure> {
  try {
    await run();
  } catch (error) {
    if (isLlmError(error)) return error.failure;
    throw error;
  }
  throw new Error('it did not fail');
}

async function failureFrom(answer: (response: ServerResponse) => unknown, more?: Partial<OpenAiChatConfig>) {
  await using provider = await rawProvider(answer);
  return await thrown(() => collect(chunksOf(configFor(provider.url, more))));
}

const reply = (status: number, headers: Record<string, string>, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, headers);
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};
const events = { 'content-type': 'text/event-stream' };
const html = '<html><head><style>p{}</style></head><body>verify you are <b>human</b></body></html>';

test('a key does not show, also where what is kept of a message ends within it', async () => {
  const key = 'sk-0123456789abcdef';
  const page = (before: number) => `${'x '.repeat(before / 2)}Bearer ${key} and more`;
  const bodies = [{ error: { message: page(988) } }, page(288), `<p>${page(8_180)}`];
  for (const body of bodies) {
    const { message } = await failureFrom(reply(500, {}, body), { apiKey: { reveal: () => key } });
    expect(message).not.toContain('sk-01');
  }
});

test('a body of nothing but opened tags is told of at once', async () => {
  const { message } = await failureFrom(reply(200, { 'content-type': 'text/html' }, '<'.repeat(1 << 20)));
  expect(message).toMatch(/answered 200 with text\/html instead of a stream: <{300}$/);
});

describe('an answer that is not 2xx', () => {
  it.each<[number, unknown, string, string]>([
    [401, { error: { message: 'bad key' } }, 'AUTH', 'bad key (HTTP 401)'],
    [403, '', 'AUTH', 'no body (HTTP 403)'],
    [402, { error: { message: 'Insufficient Balance' } }, 'QUOTA', 'Insufficient Balance (HTTP 402)'],
    [429, { error: { message: 'gone', code: 'insufficient_quota' } }, 'QUOTA', 'gone (HTTP 429, insufficient_quota)'],
    [429, { error: { message: 'slow down', type: 'rate' } }, 'RATE_LIMIT', 'slow down (HTTP 429, rate)'],
    [
      429,
      [{ error: { message: 'Quota exceeded: requests per minute', code: 429 } }],
      'RATE_LIMIT',
      'Quota exceeded: requests per minute (HTTP 429)',
    ],
    [
      400,
      { error: { message: "This model's maximum context length is 9 tokens", code: 'context_length_exceeded' } },
      'CONTEXT_WINDOW_EXCEEDED',
      "This model's maximum context length is 9 tokens (HTTP 400, context_length_exceeded)",
    ],
    [400, { error: 'no such tool' }, 'INVALID_REQUEST', 'no such tool (HTTP 400)'],
    [413, 'too big', 'INVALID_REQUEST', 'too big (HTTP 413)'],
    [404, { detail: 'Not Found' }, 'HTTP_404', 'Not Found (HTTP 404)'],
    [500, { message: 'oops' }, 'SERVER', 'oops (HTTP 500)'],
    [502, html, 'SERVER', 'verify you are human (HTTP 502)'],
  ])('%i %j is %s', async (status, body, code, message) => {
    expect(await failureFrom(reply(status, {}, body))).toEqual({ code, message, status });
  });

  it('is not tried again, and tells its request id and the wait asked for', async () => {
    await using provider = await rawProvider(
      reply(429, { 'retry-after': '2.5', 'x-deepseek-request-id': 'r1' }, { error: { message: 'wait' } }),
    );
    expect(await thrown(() => collect(chunksOf(configFor(provider.url))))).toEqual({
      code: 'RATE_LIMIT',
      message: 'wait (HTTP 429)',
      status: 429,
      providerRetryAfterMs: 2500,
      requestId: 'r1',
    });
    expect(provider.requests.length).toBe(1);
  });

  it('may give the wait as a date', async () => {
    const date = new Date(Date.now() + 90_000).toUTCString();
    const failure = await failureFrom(reply(503, { 'retry-after': date }, 'later'));
    expect(failure.providerRetryAfterMs).toBeGreaterThan(80_000);
    expect(failure.providerRetryAfterMs).toBeLessThanOrEqual(90_000);
  });

  it.each(['-5', '0', 'soon', 'Thu, 01 Jan 1970 00:00:00 GMT'])('ignores a wait of %s', async (wait) => {
    expect(await failureFrom(reply(503, { 'retry-after': wait }, 'later'))).toEqual({
      code: 'SERVER',
      message: 'later (HTTP 503)',
      status: 503,
    });
  });

  it('never shows our key', async () => {
    const apiKey = { reveal: () => 'sk-hunter2' };
    const failure = await failureFrom(reply(401, {}, { error: { message: 'key sk-hunter2 is wrong' } }), { apiKey });
    expect(failure.message).toBe('key [secret] is wrong (HTTP 401)');
  });
});

describe('an answer with status 200 that is an error', () => {
  const quota = { error: { message: 'quota gone', code: 'insufficient_quota' } };
  it.each<[string, (response: ServerResponse) => unknown, LlmFailure]>([
    ['as a frame', frames(quota, '[DONE]'), { code: 'QUOTA', message: 'quota gone (insufficient_quota)' }],
    ['as a frame of text', frames({ error: 'boom' }), { code: 'UNKNOWN', message: 'boom' }],
    [
      'as an event',
      (r) => reply(200, events, 'event: error\ndata: {"message":"boom"}\n\n')(r),
      { code: 'UNKNOWN', message: 'boom' },
    ],
    [
      'with a status of its own',
      frames({ error: { message: 'upstream', code: 502 } }),
      { code: 'SERVER', message: 'upstream (HTTP 502)', status: 502 },
    ],
    [
      'as a body',
      reply(200, { 'content-type': 'application/json' }, quota),
      { code: 'QUOTA', message: 'quota gone (insufficient_quota)' },
    ],
    [
      'as a body that is said to be a stream',
      reply(200, events, { error: 'boom' }),
      { code: 'UNKNOWN', message: 'boom' },
    ],
    [
      'as a page',
      reply(200, { 'content-type': 'text/html' }, html),
      {
        code: 'MALFORMED_RESPONSE',
        message: 'the provider answered 200 with text/html instead of a stream: verify you are human',
      },
    ],
    [
      'as garbage',
      frames('{"choices":[{"delta":{"content":7}}]}'),
      {
        code: 'MALFORMED_RESPONSE',
        message: 'the provider sent a frame that is no part of an answer: {"choices":[{"delta":{"content":7}}]}',
      },
    ],
    [
      'as half JSON',
      frames('{"choices":[', '[DONE]'),
      {
        code: 'MALFORMED_RESPONSE',
        message: 'the provider sent a frame that is no part of an answer: {"choices":[',
      },
    ],
  ])('%s', async (_how, answer, failure) => {
    expect(await failureFrom(answer)).toEqual(failure);
  });

  it('after a part of the answer still counts', async () => {
    await using provider = await rawProvider(frames(choice({ content: 'x' }), quota));
    const chunks: StreamChunk[] = [];
    const failure = await thrown(async () => {
      for await (const chunk of chunksOf(configFor(provider.url))) chunks.push(chunk);
    });
    expect([chunks.length, failure.code]).toEqual([2, 'QUOTA']);
  });
});

describe('a broken connection', () => {
  it('nobody listens', async () => {
    const gone = await rawProvider(() => undefined);
    await gone[Symbol.asyncDispose]();
    const failure = await thrown(() => collect(chunksOf(configFor(gone.url))));
    expect(failure.code).toBe('TRANSPORT');
    expect(failure.message).toContain('ECONNREFUSED');
    expect(failure.message).not.toContain('check');
    const told = await thrown(() => collect(chunksOf(configFor(gone.url, { baseUrlFrom: 'OPENAI_BASE_URL' }))));
    expect(told.message).toMatch(/nothing answers at 127\.0\.0\.1:\d+: check OPENAI_BASE_URL$/);
  });

  it('cut in the middle', async () => {
    const failure = await failureFrom((response) => {
      response.writeHead(200, events);
      response.write(`data: ${JSON.stringify(choice({ content: 'x' }))}\n\n`, () => response.destroy());
    });
    expect(failure.code).toBe('TRANSPORT');
  });

  it.each([
    ['between frames', `data: ${JSON.stringify(choice({ content: 'x' }, 'stop'))}\n\n`],
    ['inside a frame', `data: ${JSON.stringify(choice({ content: 'x' }))}\n\ndata: {"choices":[{"del`],
    ['before anything', ''],
    ['after a comment', ': hi\n\n'],
  ])('ended cleanly %s, without [DONE]', async (_where, body) => {
    const failure = await failureFrom(reply(200, events, body));
    expect(failure).toEqual({ code: 'STREAM_CLOSED', message: 'the provider closed the stream before [DONE]' });
  });
});

describe('a stall', () => {
  const ping = (everyMs: number, first: string) => (response: ServerResponse) => {
    response.writeHead(200, events);
    response.write(first);
    const timer = setInterval(() => response.write(': ping\n\n'), everyMs);
    response.on('close', () => clearInterval(timer));
  };
  const one = `data: ${JSON.stringify(choice({ content: 'x' }))}\n\n`;

  it('before the first byte ends in TIMEOUT and closes the connection', async () => {
    await using provider = await rawProvider(() => undefined);
    const config = configFor(provider.url, { streamIdleTimeoutMs: 50 });
    expect(await thrown(() => collect(chunksOf(config)))).toEqual({
      code: 'TIMEOUT',
      message: 'the provider sent nothing for 50 ms',
    });
    await provider.closed;
  });

  it('with keep-alives ends in TIMEOUT once only they have come for the limit', async () => {
    const started = performance.now();
    const failure = await failureFrom(ping(20, one), { streamIdleTimeoutMs: 150, streamSilenceLimitMs: 400 });
    expect(failure).toEqual({ code: 'TIMEOUT', message: 'the provider sent only keep-alives for 400 ms' });
    expect(performance.now() - started).toBeGreaterThan(390);
  });

  it('does not count the time a slow consumer takes', async () => {
    await using provider = await rawProvider(
      frames(choice({ content: 'x' }), choice({ content: 'y' }, 'stop'), '[DONE]'),
    );
    // The answer lies ready; what is left of the limit is for a machine that has other things to do.
    const config = configFor(provider.url, { streamIdleTimeoutMs: 500, streamSilenceLimitMs: 500 });
    const kinds: string[] = [];
    const started = performance.now();
    for await (const chunk of chunksOf(config)) {
      kinds.push(chunk.type);
      const until = performance.now() + 200;
      while (performance.now() < until) await new Promise(setImmediate);
    }
    expect(kinds.at(-1)).toBe('finish');
    expect(performance.now() - started).toBeGreaterThan(500);
  });
});

describe('a caller that gives up', () => {
  it('before the call sends nothing', async () => {
    await using provider = await rawProvider(frames('[DONE]'));
    const options = { ...hello, signal: AbortSignal.abort() };
    const failure = await thrown(() => collect(chunksOf(configFor(provider.url), options)));
    expect([failure, provider.requests.length]).toEqual([
      { code: 'ABORTED', message: 'the model call was cancelled' },
      0,
    ]);
  });

  it('while nothing comes, or in the middle, gets ABORTED and the connection closes', async () => {
    for (const first of [undefined, `data: ${JSON.stringify(choice({ content: 'x' }))}\n\n`]) {
      const controller = new AbortController();
      await using provider = await rawProvider((response) => {
        if (first) response.writeHead(200, events).write(first);
        else controller.abort();
      });
      const failure = await thrown(async () => {
        for await (const chunk of chunksOf(configFor(provider.url), { ...hello, signal: controller.signal })) {
          if (chunk.type === 'text-delta') controller.abort();
        }
      });
      expect(failure.code).toBe('ABORTED');
      await provider.closed;
    }
  });

  it('by leaving the loop closes the connection', async () => {
    await using provider = await rawProvider((response) =>
      response.writeHead(200, events).write(`data: ${JSON.stringify(choice({ content: 'x' }))}\n\n`),
    );
    for await (const chunk of chunksOf(configFor(provider.url))) {
      expect(chunk.type).toBe('block-start');
      break;
    }
    await provider.closed;
  });
});

describe('credentials', () => {
  it('that are missing or cannot be sent are refused before any call', async () => {
    const without = configFor('http://127.0.0.1:1', { dialect: 'deepseek' });
    expect((await thrown(() => openAiChatAdapter(without))).code).toBe('MISSING_CREDENTIAL');
    const broken = configFor('http://127.0.0.1:1', { apiKey: { reveal: () => 'sk-a\nb' } });
    const failure = await thrown(() => openAiChatAdapter(broken));
    expect(failure.code).toBe('INVALID_CREDENTIAL');
    expect(failure.message).not.toContain('sk-a');
  });
});
