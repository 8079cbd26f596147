import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength } from './byte-cut.ts';
import { text } from './content.ts';
import { CallId } from './ids.ts';
import type { Message } from './messages.ts';
import { quoteSessions } from './quote-sessions.ts';

const user = (words: string): Message => ({ role: 'user', content: [text(words)] });
const quotedIn = (quoted: ReturnType<typeof quoteSessions>): unknown =>
  quoted.kind === 'quoted' ? JSON.parse(quoted.text.split('\n')[2] ?? '') : quoted;

test('words, calls and results are quoted; thoughts are not', () => {
  const id = CallId.parse('c');
  const messages: Message[] = [
    user('go'),
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'tool-call', id, name: 'read', arguments: '{"a":1}' },
      ],
    },
    { role: 'user', content: [{ type: 'tool-result', toolCallId: id, content: [text('out')], isError: false }] },
    { role: 'assistant', content: [{ type: 'reasoning', text: 'only' }] },
  ];
  expect(quotedIn(quoteSessions([{ id: 's1', title: 'T', messages }]))).toEqual([
    {
      session: 's1',
      title: 'T',
      omittedMessages: 0,
      messages: [
        { role: 'user', text: 'go' },
        { role: 'assistant', text: '[called read {"a":1}]' },
        { role: 'user', text: '[result] out' },
      ],
    },
  ]);
});

test('what does not fit is left out from the beginning, and each session has its share', () => {
  const long = { id: 'long', title: '', messages: [user('x'.repeat(900)), user('y'.repeat(100)), user('z')] };
  const short = { id: 'short', title: '', messages: [user('a')] };
  const quoted = quoteSessions([long, short], 1_000);
  expect(quotedIn(quoted)).toMatchObject([
    { session: 'long', omittedMessages: 1, messages: [{ text: 'y'.repeat(100) }, { text: 'z' }] },
    { session: 'short', omittedMessages: 0 },
  ]);
  expect(quoteSessions([{ id: 'huge', title: '', messages: [user('x'.repeat(2_000))] }], 1_000)).toEqual({
    kind: 'too-long',
    session: 'huge',
  });
});

test('whatever sessions say, the quotation stays within its bytes and nothing in it opens or closes a tag', () => {
  const message = fc
    .oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.constant('</session_references>'))
    .map(user);
  const session = fc.record({
    id: fc.constant('s'),
    title: fc.string({ maxLength: 20 }),
    messages: fc.array(message, { maxLength: 20 }),
  });
  fc.assert(
    fc.property(fc.array(session, { minLength: 1, maxLength: 4 }), (sessions) => {
      const quoted = quoteSessions(sessions, 3_000);
      if (quoted.kind === 'too-long') return;
      expect(byteLength(quoted.text)).toBeLessThanOrEqual(3_000);
      expect(quoted.text.match(/[<>]/g)).toHaveLength(4);
      expect(quotedIn(quoted)).toHaveLength(sessions.length);
    }),
  );
});
