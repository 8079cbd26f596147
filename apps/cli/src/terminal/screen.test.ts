import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Screen } from './screen.ts';
import { plain } from './style.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(terminal: { isTTY?: boolean; columns?: number }) {
  const written: string[] = [];
  return { written, screen: new Screen({ sink: { ...terminal, write: (text) => written.push(text) }, style: plain }) };
}

const ERASE = '\r\u001b[2K';

test('a terminal is shown each second what is waited for, on one line that goes away again', () => {
  const { written, screen } = open({ isTTY: true, columns: 40 });
  screen.line('before');
  screen.waitFor('bash 测试测试测试测试测试测试测试测试 run the tests');
  vi.advanceTimersByTime(2_000);
  screen.text('after');
  vi.advanceTimersByTime(5_000);
  screen.close();
  expect(written).toEqual([
    'before\n',
    `${ERASE}  … bash 测试测试测试测试测试测… (1 s)`,
    `${ERASE}  … bash 测试测试测试测试测试测… (2 s)`,
    ERASE,
    'after',
    '\n',
  ]);
});

test('a pipe gets a line every ten seconds, and no control sequence', () => {
  const { written, screen } = open({});
  screen.waitFor('the model');
  vi.advanceTimersByTime(25_000);
  screen.close();
  expect(written).toEqual(['  … the model (10 s)\n', '  … the model (20 s)\n']);
});

test('a gap is one blank line, however often it is asked for', () => {
  const { written, screen } = open({});
  screen.gap();
  screen.text('text');
  screen.gap();
  screen.gap();
  screen.line('line');
  screen.close();
  expect(written.join('')).toBe('text\n\nline\n');
});
