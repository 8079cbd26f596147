import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength } from './byte-cut.ts';
import { text } from './content.ts';
import { validateEventData } from './event-registry.ts';
import { titleOf, titleRequest } from './title-request.ts';

const route = { provider: 'p', model: 'm' };
const saidIn = (request: ReturnType<typeof titleRequest>): string => {
  const [block] = request?.messages[0]?.content ?? [];
  return block?.type === 'text' ? block.text : '';
};

test('the latest words count most, and all of what is asked fits into 4,096 bytes', () => {
  const long = '界'.repeat(2_000);
  const request = titleRequest(
    [
      { seq: 1, text: 'first' },
      { seq: 5, text: ' ' },
      { seq: 9, text: long },
      { seq: 12, text: 'last' },
    ],
    route,
  );
  expect(request).toMatchObject({ titleProvider: 'model', messageSeqs: [9, 12], route, maxTokens: 64 });
  expect(saidIn(request)).toBe(`${'界'.repeat(1_364)}\n\nlast`);
  expect(titleRequest([{ seq: 1, text: ' \n' }], route)).toBeUndefined();
});

test('whatever people say, the log takes the request, its numbers rise and its words are bounded', () => {
  const said = fc.array(fc.string({ unit: 'binary', maxLength: 3_000 }), { maxLength: 8 });
  fc.assert(
    fc.property(said, (words) => {
      const messages = words.map((each, n) => ({ seq: n * 3, text: each }));
      const request = titleRequest(messages, route);
      if (!request) {
        expect(words.every((each) => each.trim() === '')).toBe(true);
        return;
      }
      expect(() => validateEventData('session/title-llm-request', request)).not.toThrow();
      expect(request.messageSeqs).toEqual([...new Set(request.messageSeqs)].toSorted((a, b) => a - b));
      const separators = 2 * (request.messageSeqs.length - 1);
      expect(byteLength(saidIn(request))).toBeLessThanOrEqual(4_096 + separators);
    }),
  );
});

test.each([
  ['"Fix the build."', 'Fix the build.'],
  ['\n\n## Fix the build\nHere is why', 'Fix the build'],
  ['**Fix\u202E the\u0007 build**', 'Fix the build'],
  ['«修复构建»', '修复构建'],
])('of %j the title is %j', (answer, title) => {
  expect(titleOf([{ type: 'reasoning', text: 'hm' }, text(answer)])).toEqual({ title });
});

test.each(['', ' \n', '""', '\u0007'])('an answer of %j gives no title', (answer) => {
  expect(titleOf([text(answer)])).toMatchObject({ failure: { code: 'EMPTY_RESPONSE' } });
});
