import fc from 'fast-check';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ContentBlock, StreamChunk } from '../../domain/index.ts';
import type { OpenAiChatConfig } from './config.ts';
import { choice, chunksOf, collect, configFor, frames, hello, piece, rawProvider } from './testing/chat-provider.ts';

async function chunksFrom(answer: (response: ServerResponse) => unknown, more?: Partial<OpenAiChatConfig>) {
  await using provider = await rawProvider(answer);
  return await collect(chunksOf(configFor(provider.url, more)));
}

const blocks = (chunks: StreamChunk[]): ContentBlock[] =>
  chunks.flatMap((chunk) => (chunk.type === 'block-end' ? [chunk.block] : []));
const finish = (chunks: StreamChunk[]) => chunks.flatMap((chunk) => (chunk.type === 'finish' ? [chunk.reason] : []));
const call = (id: string, name: string, args: string) => ({ type: 'tool-call', id, name, arguments: args });

describe('an answer', () => {
  it('becomes deltas at once, then ends, usage and finish', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 5 },
    };
    const answer = frames(
      choice({ role: 'assistant', content: null, reasoning_content: '' }),
      choice({ reasoning_content: 'hm' }),
      choice({ content: 'Hel' }),
      choice({ content: 'lo' }),
      choice({}, 'stop'),
      { choices: [], usage },
      '[DONE]',
    );
    expect(await chunksFrom(answer)).toEqual([
      { type: 'block-start', index: 0, blockType: 'reasoning' },
      { type: 'reasoning-delta', index: 0, text: 'hm' },
      { type: 'block-start', index: 1, blockType: 'text' },
      { type: 'text-delta', index: 1, text: 'Hel' },
      { type: 'text-delta', index: 1, text: 'lo' },
      { type: 'block-end', index: 0, block: { type: 'reasoning', text: 'hm' } },
      { type: 'block-end', index: 1, block: { type: 'text', text: 'Hello' } },
      {
        type: 'usage',
        usage: { inputTokens: 40, outputTokens: 20, cacheReadTokens: 60, reasoningTokens: 5 },
      },
      { type: 'finish', reason: { kind: 'stop' } },
    ]);
  });

  it.each([
    ['stop', { kind: 'stop' }],
    ['tool_calls', { kind: 'stop' }],
    ['length', { kind: 'max-tokens' }],
    [
      'content_filter',
      { kind: 'error', failure: { code: 'CONTENT_FILTER', message: 'model stopped: content_filter' } },
    ],
    [
      null,
      { kind: 'error', failure: { code: 'MALFORMED_RESPONSE', message: 'the answer ended without a finish reason' } },
    ],
  ])('with finish reason %s', async (reason, expected) => {
    expect(finish(await chunksFrom(frames(choice({ content: 'x' }, reason), '[DONE]')))).toEqual([expected]);
  });

  it('with nothing in it is a failure, and keeps its usage', async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 0, prompt_cache_hit_tokens: 2 };
    expect(await chunksFrom(frames(choice({ content: '' }, 'stop'), { choices: [], usage }, '[DONE]'))).toEqual([
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 0, cacheReadTokens: 2 } },
      {
        type: 'finish',
        reason: { kind: 'error', failure: { code: 'EMPTY_RESPONSE', message: 'the model answered with nothing' } },
      },
    ]);
  });

  it('with nothing in it because the prompt fills the window says so', async () => {
    const answer = frames(
      choice({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 100, completion_tokens: 0 } },
      '[DONE]',
    );
    const chunks = await chunksFrom(answer, { models: [{ id: hello.model, contextWindow: 100 }] });
    expect(finish(chunks)).toMatchObject([{ failure: { code: 'CONTEXT_WINDOW_EXCEEDED' } }]);
  });

  it('survives counts that make no sense', async () => {
    const usage = { prompt_tokens: -1, completion_tokens: 'many' };
    const chunks = await chunksFrom(frames(choice({ content: 'x' }, 'stop'), { choices: [], usage }, '[DONE]'));
    expect(chunks.slice(-2)).toEqual([
      { type: 'block-end', index: 0, block: { type: 'text', text: 'x' } },
      { type: 'finish', reason: { kind: 'stop' } },
    ]);
  });

  it('in one piece of JSON instead of a stream is taken', async () => {
    const message = {
      role: 'assistant',
      content: 'hi',
      tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
    };
    const chunks = await chunksFrom((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }, null, 2));
    });
    expect(blocks(chunks)).toEqual([{ type: 'text', text: 'hi' }, call('c', 'f', '{}')]);
    expect(finish(chunks)).toEqual([{ kind: 'tool-calls' }]);
  });
});

describe('tool calls', () => {
  it('keep their ids and names when later pieces carry empty ones, and may have no arguments', async () => {
    const chunks = await chunksFrom(
      frames(
        piece(0, 'c1', 'read', '{"pa'),
        piece(0, '', '', 'th":"a.txt"}'),
        piece(1, 'c2', 'list_agents', ''),
        choice({}, 'tool_calls'),
        '[DONE]',
      ),
    );
    expect(chunks).toEqual([
      { type: 'block-start', index: 0, blockType: 'tool-call' },
      { type: 'tool-call-delta', index: 0, id: 'c1', name: 'read', argumentsDelta: '{"pa' },
      { type: 'tool-call-delta', index: 0, id: 'c1', argumentsDelta: 'th":"a.txt"}' },
      { type: 'block-start', index: 1, blockType: 'tool-call' },
      { type: 'tool-call-delta', index: 1, id: 'c2', name: 'list_agents', argumentsDelta: '' },
      { type: 'block-end', index: 0, block: call('c1', 'read', '{"path":"a.txt"}') },
      { type: 'block-end', index: 1, block: call('c2', 'list_agents', '') },
      { type: 'finish', reason: { kind: 'tool-calls' } },
    ]);
  });

  it.each(['stop', 'tool_calls'])('are delivered when the finish reason says %s', async (reason) => {
    const whole = '{"path":"n.md","content":"hi"}';
    const chunks = await chunksFrom(frames(piece(0, 'c1', 'write', whole), choice({}, reason), '[DONE]'));
    expect([blocks(chunks), finish(chunks)]).toEqual([[call('c1', 'write', whole)], [{ kind: 'tool-calls' }]]);
  });

  it.each([
    ['stop', 'tool-calls'],
    ['length', 'max-tokens'],
  ])('that were cut off are delivered as they are when the finish reason says %s', async (reason, kind) => {
    const half = '{"path":"m.md","content":"# Ti';
    const chunks = await chunksFrom(frames(piece(0, 'c1', 'write', half), choice({}, reason), '[DONE]'));
    expect([blocks(chunks), finish(chunks)]).toEqual([[call('c1', 'write', half)], [{ kind }]]);
  });

  it('may interleave with each other and with text', async () => {
    const answer = frames(
      piece(1, 'b', 'g', '{'),
      choice({ content: 'x' }),
      piece(0, 'a', 'f', '{'),
      piece(1, undefined, undefined, '}'),
      piece(0, undefined, undefined, '}'),
      choice({}, 'tool_calls'),
      '[DONE]',
    );
    expect(blocks(await chunksFrom(answer))).toEqual([
      call('b', 'g', '{}'),
      { type: 'text', text: 'x' },
      call('a', 'f', '{}'),
    ]);
  });

  it('without an index are told apart by id; the same index for two whole calls is two calls', async () => {
    const without = frames(
      piece(undefined, 'a', 'f', '{}'),
      piece(undefined, 'b', 'g', '{"x'),
      piece(undefined, undefined, undefined, '":1}'),
      choice({}, 'tool_calls'),
      '[DONE]',
    );
    expect(blocks(await chunksFrom(without))).toEqual([call('a', 'f', '{}'), call('b', 'g', '{"x":1}')]);
    const twice = frames(piece(0, 'a', 'f', '{}'), piece(0, 'b', 'g', '{"x":1}'), choice({}, 'stop'), '[DONE]');
    expect(blocks(await chunksFrom(twice))).toEqual([call('a', 'f', '{}'), call('b', 'g', '{"x":1}')]);
  });

  it('get an id of their own when they have none or share one', async () => {
    const answer = frames(
      piece(0, undefined, 'f', '{}'),
      piece(1, 'x', 'f', '{}'),
      piece(2, 'x', 'f', '{}'),
      choice({}, 'tool_calls'),
      '[DONE]',
    );
    expect(blocks(await chunksFrom(answer))).toEqual([
      call('call-0', 'f', '{}'),
      call('x', 'f', '{}'),
      call('x-2', 'f', '{}'),
    ]);
  });
});

describe('the bytes of a stream', () => {
  const content = '{"choices":[{"index":0,"delta":{"content":"北京🙂"}}]}';
  const packets = [
    ': hi\r\n\r\n',
    'data: null\n\n',
    `data:${content}\r\r`,
    'data: {"choices":null}\n\r\n',
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
    'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\n',
    'data: [DONE]\n\ndata: [DONE]\n\n',
  ];

  it('may mix line ends, comments and empty frames, a byte at a time; each delta arrives before the next packet', async () => {
    const bytes = packets.map((packet) => Buffer.from(packet));
    const seen = Promise.withResolvers<void>();
    await using provider = await rawProvider(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const [n, packet] of bytes.entries()) {
        for (const byte of packet) {
          if (!response.write(Buffer.of(byte))) await once(response, 'drain');
          await new Promise(setImmediate);
        }
        if (n === 2) await seen.promise;
      }
      response.end();
    });
    const chunks: StreamChunk[] = [];
    for await (const chunk of chunksOf(configFor(provider.url))) {
      chunks.push(chunk);
      if (chunk.type === 'text-delta') seen.resolve();
    }
    expect(chunks).toEqual([
      { type: 'block-start', index: 0, blockType: 'text' },
      { type: 'text-delta', index: 0, text: '北京🙂' },
      { type: 'block-end', index: 0, block: { type: 'text', text: '北京🙂' } },
      { type: 'usage', usage: { inputTokens: 7, outputTokens: 3 } },
      { type: 'finish', reason: { kind: 'stop' } },
    ]);
  });

  it('mean the same however they are cut', async () => {
    const all = Buffer.from(packets.join(''));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat({ max: all.length }), { maxLength: 12 }), async (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), all.length];
        const chunks = await chunksFrom(async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const [n, edge] of edges.slice(1).entries()) {
            response.write(all.subarray(edges[n], edge));
            await new Promise(setImmediate);
          }
          response.end();
        });
        expect(blocks(chunks)).toEqual([{ type: 'text', text: '北京🙂' }]);
        expect(finish(chunks)).toEqual([{ kind: 'stop' }]);
      }),
      { numRuns: 40 },
    );
  });

  it('keep a character whole that two deltas share, and hand on half of one as it is', async () => {
    const half = (escaped: string) => `{"choices":[{"index":0,"delta":{"content":"${escaped}"}}]}`;
    const answer = frames(half('a\\ud83d'), half('\\ude42b'), half('\\ud83d'), choice({}, 'stop'), '[DONE]');
    const chunks = await chunksFrom(answer);
    const texts = chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.text] : []));
    expect(texts).toEqual(['a', '🙂b', '\ud83d']);
    expect(blocks(chunks)).toEqual([{ type: 'text', text: 'a🙂b\ud83d' }]);
  });

  it('end at [DONE] though the socket stays open, which we close', async () => {
    await using provider = await rawProvider((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(choice({ content: 'x' }, 'stop'))}\n\ndata: [DONE]\n\n`);
    });
    expect(finish(await collect(chunksOf(configFor(provider.url))))).toEqual([{ kind: 'stop' }]);
    await provider.closed;
  });

  it('may lack the blank line after [DONE]', async () => {
    const chunks = await chunksFrom((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(choice({ content: 'x' }, 'stop'))}\n\ndata: [DONE]`);
    });
    expect(finish(chunks)).toEqual([{ kind: 'stop' }]);
  });
});
