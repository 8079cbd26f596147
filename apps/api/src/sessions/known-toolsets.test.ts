import { expect, test } from 'vitest';
import { refuseUnknownToolsets } from './known-toolsets.ts';

test('takes none, what is built in, and what a worker told of', () => {
  expect(() => refuseUnknownToolsets(undefined, [])).not.toThrow();
  expect(() => refuseUnknownToolsets([], [])).not.toThrow();
  expect(() => refuseUnknownToolsets(['of-a-plugin'], ['of-a-plugin'])).not.toThrow();
});

test('names each set that nobody has, and what there is instead', () => {
  expect(() => refuseUnknownToolsets(['of-a-plugin', 'nope'], ['of-a-plugin'])).toThrow(
    expect.objectContaining({
      code: 'UNKNOWN_TOOLSET',
      message: expect.stringMatching(/^body\.toolsets\[1\]: no set of tools is named "nope"; there are: .*of-a-plugin/),
    }),
  );
});
