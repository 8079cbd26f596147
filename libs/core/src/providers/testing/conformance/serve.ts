import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { BlockAssembler, isLlmError } from '../../../domain/index.ts';
import type { GenerateOptions, LlmFailure } from '../../../domain/index.ts';
import { checkGrammar } from '../../grammar.ts';
import { rawProvider } from '../../wire/testing/raw-provider.ts';
import type { Frame, Outcome, Table } from './transcript.ts';

/** How frames become bytes. */
export interface Writing {
  lineEnd?: '\n' | '\r\n' | '\r';
  /** Stands before every frame. */
  comment?: string;
  pace?: 'whole' | 'bytes';
  encoding?: 'gzip';
  close?: 'cleanly' | 'abruptly';
}

/** Frames as an event stream writes them. */
export function bytesOf(frames: readonly Frame[], { lineEnd = '\n', comment }: Writing = {}): Buffer {
  const lines = frames.flatMap(({ event, data }) => [
    ...(comment === undefined ? [] : [comment, '']),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${typeof data === 'string' ? data : JSON.stringify(data)}`,
    '',
  ]);
  return Buffer.from(lines.map((line) => `${line}${lineEnd}`).join(''));
}

/** Answers with frames, written in one way or another. */
export const streaming =
  (frames: readonly Frame[], writing: Writing = {}) =>
  async (response: ServerResponse): Promise<void> => {
    const bytes = bytesOf(frames, writing);
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      ...(writing.encoding && { 'content-encoding': writing.encoding }),
    });
    if (writing.encoding) response.end(gzipSync(bytes));
    else if (writing.close === 'abruptly') response.write(bytes, () => response.destroy());
    else if (writing.pace !== 'bytes') response.end(bytes);
    else {
      for (const byte of bytes) {
        if (!response.write(Buffer.of(byte))) await once(response, 'drain');
        await new Promise(setImmediate);
      }
      response.end();
    }
  };

/** What one call of an adapter comes to, its chunks checked for their order. */
export async function askedOf(
  table: Table,
  answer: (response: ServerResponse) => unknown,
  more: Partial<GenerateOptions> = {},
): Promise<Outcome | { failure: LlmFailure }> {
  await using provider = await rawProvider(answer);
  const assembler = new BlockAssembler();
  try {
    const options = { ...question, ...more };
    for await (const chunk of checkGrammar(table.adapter(provider.origin).stream(options))) assembler.push(chunk);
  } catch (error) {
    if (isLlmError(error)) return { failure: error.failure };
    throw error;
  }
  const { usage, replayState } = assembler;
  return {
    content: assembler.blocks(),
    finish: assembler.finish,
    ...(usage && { usage }),
    ...(replayState !== undefined && { replayState }),
  };
}

const question: GenerateOptions = {
  provider: 'p',
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'read both files' }] }],
};
