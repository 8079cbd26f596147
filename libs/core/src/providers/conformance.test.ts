import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../domain/index.ts';
import { anthropic } from './testing/conformance/anthropic.ts';
import { deepseek } from './testing/conformance/deepseek.ts';
import { llamacpp } from './testing/conformance/llamacpp.ts';
import { ollama } from './testing/conformance/ollama.ts';
import { openai } from './testing/conformance/openai.ts';
import { responses } from './testing/conformance/responses.ts';
import { askedOf, streaming } from './testing/conformance/serve.ts';
import type { Writing } from './testing/conformance/serve.ts';
import { vllm } from './testing/conformance/vllm.ts';

const tables = [deepseek, openai, vllm, llamacpp, ollama, anthropic, responses];

/** What a model said and asked for, whatever came first; ids that were made up by place are left out. */
const unordered = (content: ContentBlock[]) =>
  content
    .map((block) => (block.type === 'tool-call' ? { ...block, id: block.id.replace(/^call-\d+$/, '') } : block))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const MEANS_THE_SAME: [string, Writing][] = [
  ['as recorded', {}],
  ['a byte at a time, so that characters are split', { pace: 'bytes' }],
  ['with CRLF', { lineEnd: '\r\n' }],
  ['with CR', { lineEnd: '\r' }],
  ['with comments between', { comment: ': keep-alive' }],
  ['with empty frames between', { comment: 'data: null' }],
  ['in gzip', { encoding: 'gzip' }],
];

describe.each(tables)('$dialect', (table) => {
  const { surgery } = table;

  describe.each(table.transcripts)('that $name', ({ frames, outcome }) => {
    it.each(MEANS_THE_SAME)('%s', async (_how, writing) => {
      expect(await askedOf(table, streaming(frames, writing))).toEqual(outcome);
    });

    it('with its end said twice', async () => {
      const twice = [...frames, ...frames.slice(-surgery.ending)];
      expect(await askedOf(table, streaming(twice))).toEqual(outcome);
    });

    it('with the usage before the finish', async () => {
      expect(await askedOf(table, streaming(surgery.usageFirst(frames)))).toEqual(outcome);
    });

    it('with pieces of later blocks first', async () => {
      const answer = await askedOf(table, streaming(surgery.outOfOrder(frames)));
      if ('failure' in answer) throw new Error(answer.failure.message);
      expect(unordered(answer.content)).toEqual(unordered(outcome.content));
      expect(answer.finish).toEqual(outcome.finish);
    });

    it('cut off after each frame is no answer', async () => {
      for (let kept = 0; kept <= frames.length - surgery.ending; kept += 1) {
        for (const close of ['cleanly', 'abruptly'] as const) {
          const answer = await askedOf(table, streaming(frames.slice(0, kept), { close }));
          const code = 'failure' in answer ? answer.failure.code : 'none';
          expect(code, `${close} after ${kept}`).toBe(close === 'cleanly' ? 'STREAM_CLOSED' : 'TRANSPORT');
        }
      }
    });

    it('ended by a reason nobody knows is an error that says it', async () => {
      const answer = await askedOf(table, streaming(surgery.finishedBy(frames, 'moon_phase')));
      expect(answer).toMatchObject({
        finish: { kind: 'error', failure: { code: 'MOON_PHASE', message: 'model stopped: moon_phase' } },
      });
    });

    it('broken off by an error is that error', async () => {
      const { frame, code, message } = surgery.error;
      const answer = await askedOf(table, streaming([...frames.slice(0, 2), frame]));
      expect(answer).toEqual({ failure: { code, message } });
    });
  });

  it('with an error as the body of a 200', async () => {
    const { body, code, message } = surgery.error;
    const answer = await askedOf(table, (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    expect(answer).toEqual({ failure: { code, message } });
  });

  it('with a page as the body of a 200', async () => {
    const answer = await askedOf(table, (response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>sign in</html>');
    });
    expect(answer).toEqual({
      failure: {
        code: 'MALFORMED_RESPONSE',
        message: 'the provider answered 200 with text/html instead of a stream: sign in',
      },
    });
  });

  it.each(table.refusals)('refuses with $status: $failure.code', async ({ status, headers, body, failure }) => {
    const answer = await askedOf(table, (response) => {
      response.writeHead(status, headers);
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    expect(answer).toEqual({ failure: { status, ...failure } });
  });
});
