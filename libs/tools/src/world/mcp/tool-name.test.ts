import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { toolName } from './tool-name.ts';

const digest = (server: string, raw: string) =>
  createHash('sha256').update(`${server}\0${raw}`).digest('hex').slice(0, 12);

test('a legal name is kept', () => {
  expect(toolName('files', 'read-file_2')).toBe('mcp__files__read-file_2');
  expect(toolName('s', 'x'.repeat(56))).toHaveLength(64);
});

test.each([
  ['a dot', 'a.b', 'mcp__s__a_b'],
  ['a character beyond ASCII', 'größe🙂', 'mcp__s__gr__e_'],
  ['nothing at all', '', 'mcp__s__'],
])('%s', (_what, raw, start) => {
  expect(toolName('s', raw)).toBe(raw === '' ? start : `${start}_${digest('s', raw)}`);
});

test('a long name is cut to 64 and stays apart from its neighbours', () => {
  const [one, two] = [toolName('s', 'x'.repeat(57)), toolName('s', 'x'.repeat(58))];
  expect(one).toBe(`mcp__s__${'x'.repeat(43)}_${digest('s', 'x'.repeat(57))}`);
  expect([one?.length, one === two]).toEqual([64, false]);
  expect(toolName('s', 'a.b')).not.toBe(toolName('s', 'a:b'));
});
