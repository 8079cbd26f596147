import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { BoundedFrames } from './bounded-frames.ts';

const frame = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const passed = async (text: string, chunkBytes: number, maxBytes = 100): Promise<string> => {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, n) =>
    bytes.subarray(n * chunkBytes, (n + 1) * chunkBytes),
  );
  return (await buffer(Readable.from(chunks).compose(new BoundedFrames(maxBytes)))).toString();
};

test.each([1, 3, 7, 10_000])('messages pass unchanged in pieces of %d', async (chunkBytes) => {
  const text = frame('{"a":"北京"}') + frame('') + frame('x'.repeat(100));
  expect(await passed(text, chunkBytes)).toBe(text);
});

test.each([
  ['a message that is too long', frame('x'.repeat(101)), 'a message of 101 bytes, more than 100'],
  ['a header without an end', 'x'.repeat(8_192), 'a header of more than 8192 bytes'],
  ['a header without a length', 'Hello: world\r\n\r\n', 'something else than messages'],
])('%s is broken off, whatever its pieces', async (_what, text, message) => {
  for (const chunkBytes of [1, 1_000, 10_000]) await expect(passed(text, chunkBytes)).rejects.toThrow(message);
});
