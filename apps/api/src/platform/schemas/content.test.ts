import { describe, expect, test } from 'vitest';
import { MessageContent, previewOf } from './content.ts';

describe('MessageContent', () => {
  test('takes a text or text blocks, untouched', () => {
    const text = ' \\u0000 is six characters, 🙂 is one ';
    expect(MessageContent.parse(text)).toEqual([{ type: 'text', text }]);
    expect(MessageContent.parse([{ type: 'text', text }])).toEqual([{ type: 'text', text }]);
  });

  test('takes pictures by data and by id, which say something by themselves', () => {
    const data = { type: 'image', mediaType: 'image/gif', data: 'R0lGODdh' };
    const named = { type: 'image', attachmentId: 'a'.repeat(64) };
    const content = MessageContent.parse([data, named]);
    expect([content, previewOf(content)]).toEqual([[data, named], '[image] [image]']);
  });

  test.each([[''], [' \n\t'], [[]], [[{ type: 'text', text: '' }]]])('refuses %j, which says nothing', (content) => {
    const issues = MessageContent.safeParse(content).error?.issues;
    expect(issues).toEqual([expect.objectContaining({ path: [], params: { code: 'EMPTY_CONTENT' } })]);
  });

  test.each([
    [[{ type: 'text', text: 'a', more: 1 }]],
    [[{ type: 'tool-call', id: 'c', name: 'bash', arguments: '{}' }]],
    [5],
    [{ type: 'text', text: 'a' }],
  ])('refuses %j', (content) => {
    expect(MessageContent.safeParse(content).success).toBe(false);
  });
});

describe('previewOf', () => {
  test('is one line of at most 80 characters that never cuts one in half', () => {
    expect(previewOf(MessageContent.parse('a\n\u202e\u001bb'))).toBe('a b');
    expect(previewOf(MessageContent.parse('🙂'.repeat(100)))).toBe(`${'🙂'.repeat(79)}…`);
  });
});
