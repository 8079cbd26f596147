import fc from 'fast-check';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { describe, expect, test } from 'vitest';
import { frame, HEARTBEAT } from './frame.ts';

function parse(text: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  parser.feed(text);
  return events;
}

describe('frame', () => {
  test('no text can forge a field or a frame', () => {
    const text = 'a\u2028b\u0085c\rid: 999\revent: done\r\nd';
    const rendered = frame({ id: '7', event: 'assistant/message', json: JSON.stringify({ text }) });
    expect(rendered).toBe(
      'id: 7\nevent: assistant/message\ndata: {"text":"a\\u2028b\\u0085c\\rid: 999\\revent: done\\r\\nd"}\n\n',
    );
    expect(parse(rendered)).toEqual([{ id: '7', event: 'assistant/message', data: expect.any(String) }]);
    expect(JSON.parse(parse(rendered)[0]!.data)).toEqual({ text });
  });

  test('any JSON value arrives as it was sent, in exactly one event', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const events = parse(`${HEARTBEAT}${frame({ event: 'x', json: JSON.stringify(value) })}`);
        expect(events.map((event) => JSON.parse(event.data))).toEqual([JSON.parse(JSON.stringify(value))]);
        expect(events[0]?.id).toBeUndefined();
      }),
    );
  });
});
