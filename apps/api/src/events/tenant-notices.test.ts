import { expect, test } from 'vitest';
import { noticesOf, renderNotices } from './tenant-notices.ts';

test('what has another mark than before is told by name, what has the same is not', () => {
  const before = { settings: { prompt: 1 }, credentials: { GONE: 't1', KEPT: 't1', NEWER: 't1' } };
  const after = { settings: { prompt: 2, 'session-title': 1 }, credentials: { KEPT: 't1', NEWER: 't2', NEW: 't2' } };
  const notices = noticesOf(before, after);
  expect(notices.map(({ data }) => data)).toEqual([
    { namespace: 'prompt', revision: 2 },
    { namespace: 'session-title', revision: 1 },
    { ref: 'GONE', stored: false },
    { ref: 'NEW', stored: true },
    { ref: 'NEWER', stored: true },
  ]);
  expect(noticesOf(after, after)).toEqual([]);
  expect(renderNotices(notices.slice(0, 1))).toBe(
    'event: settings/updated\ndata: {"namespace":"prompt","revision":2}\n\n',
  );
});
