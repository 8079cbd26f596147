import { expect, test } from 'vitest';
import type { SessionEvent } from './events.ts';
import { attachmentsOf, withPictures } from './log-pictures.ts';

const image = (letter: string, side = 1) => ({
  type: 'image' as const,
  attachmentId: letter.repeat(64) as never,
  mediaType: 'image/png' as const,
  width: side,
  height: side,
  bytes: side,
});
const said = { type: 'text', text: 'see' };
const shown = [
  { type: 'user/message', seq: 1, data: { content: [said, image('a')] } },
  {
    type: 'tool/result',
    seq: 4,
    data: { content: [{ type: 'tool-result', content: [image('b')] }], meta: { n: null } },
  },
  { type: 'user/message', seq: 9, data: { content: [image('a')] } },
  { type: 'assistant/chunk', seq: 10, data: { chunk: image('c') } },
] as unknown as SessionEvent[];

test('pictures are found wherever they are, each by the first event that shows it', () => {
  expect([...attachmentsOf(shown)]).toEqual([
    ['a'.repeat(64), 1],
    ['b'.repeat(64), 4],
  ]);
});

test('a picture takes the place of another wherever that is shown; all else stays', () => {
  const other = image('d', 7);
  const moved = withPictures(shown, new Map([['b'.repeat(64), other]]));
  expect(moved).toEqual([
    shown[0],
    {
      type: 'tool/result',
      seq: 4,
      data: { content: [{ type: 'tool-result', content: [other] }], meta: { n: null } },
    },
    shown[2],
    shown[3],
  ]);
  expect(moved[0]).toBe(shown[0]);
});
