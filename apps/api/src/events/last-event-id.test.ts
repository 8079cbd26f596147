import type { SessionId } from '@everturn/core/domain';
import { describe, expect, test } from 'vitest';
import { feedId, positionFrom, seqFrom } from './last-event-id.ts';

const refused = expect.objectContaining({ code: 'INVALID_LAST_EVENT_ID' });

describe('seqFrom', () => {
  test('reads a seq the log has', () => {
    expect([seqFrom(undefined, 3), seqFrom('', 3), seqFrom('0', 3), seqFrom('3', 3)]).toEqual([
      undefined,
      undefined,
      0,
      3,
    ]);
  });

  test.each([['4'], ['-1'], ['1.5'], ['abc'], ['1 '], ['99999999999999999'], [['1', '2']]])('refuses %j', (header) => {
    expect(() => seqFrom(header, 3)).toThrow(refused);
  });
});

describe('positionFrom', () => {
  test('reads what was sent', () => {
    const position = { xact: '812', seq: 4, session: 'a.b-c' as SessionId };
    expect(positionFrom(feedId(position))).toEqual(position);
    expect(positionFrom(undefined)).toBeUndefined();
  });

  test.each([['7'], ['1.2'], ['1.2.'], ['x.2.s'], ['1.2.a/b'], [['0', '0']]])('refuses %j', (header) => {
    expect(() => positionFrom(header)).toThrow(refused);
  });
});
