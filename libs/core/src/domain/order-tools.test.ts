import { expect, test } from 'vitest';
import { checkToolOrder, orderTools, UNLISTED_TOOLS } from './order-tools.ts';

const tools = ['bash', 'Zed', 'write', 'read', 'a'].map((name) => ({ name }));
const ordered = (order?: string[]) => orderTools(tools, order).map(({ name }) => name);

test('without an order tools go by code unit; with one the unlisted stand where their marker is', () => {
  expect(ordered()).toEqual(['Zed', 'a', 'bash', 'read', 'write']);
  expect(ordered(['write', UNLISTED_TOOLS, 'a', 'not-offered-here'])).toEqual(['write', 'Zed', 'bash', 'read', 'a']);
});

test.each([
  [['read', UNLISTED_TOOLS], undefined],
  [['read', UNLISTED_TOOLS, 'read'], 'read is named twice'],
  [['read'], '<unlisted-tools> has to stand where all others go'],
  [[UNLISTED_TOOLS, 'raed', 'bsah'], 'no tool is named raed, bsah'],
])('an order of %j: %s', (order, wrong) => expect(checkToolOrder(order, (name) => name === 'read')).toBe(wrong));
