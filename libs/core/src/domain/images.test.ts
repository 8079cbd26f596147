import { expect, test } from 'vitest';
import { ContentBlockSchema, type AttachmentId, type CallId, type ImageBlock } from './index.ts';
import { imagePlaceholder, imagesOf, imagesToSend, imageTokens } from './images.ts';

const picture = (digit: string): ImageBlock => ({
  type: 'image',
  attachmentId: digit.repeat(64) as AttachmentId,
  mediaType: 'image/png',
  width: 800,
  height: 600,
  bytes: 1_000,
});

test('a picture is a strict block that holds a reference and no bytes', () => {
  expect(ContentBlockSchema.safeParse(picture('a')).success).toBe(true);
  const wrong = [
    { attachmentId: 'x' },
    { mediaType: 'image/svg+xml' },
    { width: 0 },
    { height: 1.5 },
    { bytes: -1 },
    { data: 'aGk=' },
  ];
  expect(wrong.filter((change) => ContentBlockSchema.safeParse({ ...picture('a'), ...change }).success)).toEqual([]);
});

test('it has a price by its pixels, and a text that stands for it', () => {
  expect(imageTokens(picture('a'))).toBe(640);
  expect(imagePlaceholder(picture('a'))).toBe('[image: image/png, 800x600 px, not shown here]');
});

test('pictures are found wherever they are, each once', () => {
  const result = { type: 'tool-result' as const, toolCallId: 'c' as CallId, content: [picture('b'), picture('a')] };
  const messages = [{ content: [picture('a')] }, { content: [{ type: 'text' as const, text: '' }, result] }];
  expect(imagesOf(messages).map(({ attachmentId }) => attachmentId[0])).toEqual(['b', 'a']);
});

test.each([
  [{ count: 9, bytes: 9_000 }, ['c', 'b', 'a']],
  [{ count: 9, bytes: 2_000 }, ['c', 'b']],
  [{ count: 9, bytes: 2_999 }, ['c', 'b']],
  [{ count: 1, bytes: 9_000 }, ['c']],
  [{ count: 9, bytes: 999 }, []],
])('a request within %j sends the newest', (limits, sent) => {
  const messages = ['a', 'b', 'c'].map((digit) => ({ content: [picture(digit)] }));
  expect(imagesToSend(messages, limits).map(({ attachmentId }) => attachmentId[0])).toEqual(sent);
});
