import { text, type ContentBlock } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { renderResult, type McpBlock, type SaveImages } from './render-result.ts';

const PIXEL = 'iVBORw0KGgo=';
const image = (data = PIXEL, mimeType = 'image/png'): McpBlock => ({ type: 'image', data, mimeType });
const say = (words: string): McpBlock => ({ type: 'text', text: words });
const NOWHERE = { reason: 'images cannot be shown here' };
const textOf = (blocks: ContentBlock[]) => blocks.map((block) => (block.type === 'text' ? block.text : block.type));

test('texts and links are lines, what cannot be shown is named in one', async () => {
  const shown = await renderResult(
    't',
    [
      say('one'),
      say('two'),
      { type: 'resource_link', name: 'notes', uri: 'file:///n' },
      { type: 'audio', data: 'x', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///r', text: 'inside' } },
      { type: 'hologram\nx' },
    ],
    NOWHERE,
  );
  expect(textOf(shown)).toEqual([
    [
      'one',
      'two',
      'Resource link: notes (file:///n)',
      '[audio: audio/wav; raw audio data remains available to programmatic callers]',
      '[embedded resource: file:///r; its contents remain available to programmatic callers]',
      '[content of the unknown type hologram x; raw value remains available to programmatic callers]',
    ].join('\n'),
  ]);
});

test.each([
  ['nothing', []],
  ['white space', [say(' '), say('')]],
])('%s is told as such', async (_what, content) => {
  expect(await renderResult('fetch', content, NOWHERE)).toEqual([text('(fetch returned no model-visible content)')]);
});

test('images are unavailable where nothing keeps them', async () => {
  expect(textOf(await renderResult('t', [say('a'), image()], NOWHERE))).toEqual([
    'a\n[image unavailable: image/png; images cannot be shown here; raw image data remains available to programmatic callers]',
  ]);
});

test.each([
  ['malformed base64', image('iVBORw0KGgo'), 'malformed base64'],
  ['a type we do not take', image(PIXEL, 'image/svg+xml'), 'not a PNG, JPEG, WebP or GIF'],
])('%s in a batch: no image is kept, each is unavailable', async (_what, bad, reason) => {
  const kept: unknown[] = [];
  const save: SaveImages = async (images) => {
    kept.push(...images);
    return [];
  };
  const shown = textOf(await renderResult('t', [image(), bad], save));
  expect(kept).toEqual([]);
  expect(shown[0]?.split('\n')).toHaveLength(2);
  expect(shown[0]?.match(new RegExp(`; ${reason}; `, 'g'))).toHaveLength(2);
});

test('an admitted batch stands where it stood', async () => {
  const save: SaveImages = async (images) => images.map(({ mediaType }, n) => text(`${mediaType} ${n}`));
  const shown = textOf(await renderResult('t', [say('a'), image(), say('b'), image(PIXEL, 'image/gif')], save));
  expect(shown).toEqual(['a', 'image/png 0', 'b', 'image/gif 1']);
});
