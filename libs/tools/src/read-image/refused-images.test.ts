import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blank, looking, png } from '../../test/pictures.ts';
import { ToolError, ToolSettings, type ToolCallContext } from '../kit/index.ts';
import { explainImageError } from './explain-error.ts';

describe('refused before the file is looked at', () => {
  test.each<[string, string, Partial<ToolCallContext>, string, string | undefined]>([
    ['a blank path', ' ', {}, 'file_path must be a non-empty string', 'FS_NOT_FOUND'],
    [
      'another extension',
      'a.svg',
      {},
      'read_image cannot show "a.svg": its extension is none of png, jpg, jpeg, webp, gif',
      undefined,
    ],
    [
      'no store',
      'a.png',
      { ports: { attachments: undefined } as never },
      'read_image is not available: this deployment stores no images',
      undefined,
    ],
    [
      'no model',
      'a.png',
      { route: async () => undefined },
      'read_image is not available: it cannot be told which model would see the image',
      undefined,
    ],
    [
      'a model that does not see',
      'a.png',
      { route: async () => ({ provider: 'p', model: 'blind', takesImages: false }) },
      'the model "blind" of provider "p" takes text only; switch to a model that takes images, or examine the file with a program',
      undefined,
    ],
  ])('%s', async (_name, path, overrides, message, code) => {
    const { call, stored } = await looking(overrides);
    const result = await call(path);
    expect(result).toEqual({
      content: [{ type: 'text', text: `Error: ${message}` }],
      isError: true,
      ...(code && { error: { name: 'FileError', code } }),
    });
    expect(stored).toEqual([]);
  });
});

describe('refused files', () => {
  const failing = async (name: string, images: object = {}, make?: (cwd: string) => void | Promise<void>) => {
    const { cwd, call, stored } = await looking({}, images);
    await make?.(cwd);
    const { content, isError, error } = await call(name);
    expect([isError, stored]).toEqual([true, []]);
    const [block] = content;
    return { code: error?.code, text: block?.type === 'text' ? block.text.replaceAll(cwd, '') : '' };
  };
  const file = (name: string, bytes: () => Promise<Uint8Array> | Uint8Array) => async (cwd: string) =>
    writeFileSync(join(cwd, name), await bytes());

  test.each<[string, string, object, ((cwd: string) => void | Promise<void>) | undefined, string, RegExp]>([
    ['missing', 'a.png', {}, undefined, 'FS_NOT_FOUND', /^Error: cannot read "\/a\.png": not found$/],
    ['a directory', 'd.png', {}, (cwd) => mkdirSync(join(cwd, 'd.png')), 'FS_NOT_REGULAR_FILE', /it is a directory$/],
    [
      'a FIFO',
      'p.png',
      {},
      (cwd) => void execFileSync('mkfifo', [join(cwd, 'p.png')]),
      'FS_NOT_REGULAR_FILE',
      /not a regular file$/,
    ],
    [
      '2 GB, unread',
      'big.png',
      {},
      (cwd) => {
        writeFileSync(join(cwd, 'big.png'), '');
        truncateSync(join(cwd, 'big.png'), 2 ** 31);
      },
      'FS_TOO_LARGE',
      /its 2147483648 bytes exceed the limit of 20971520 bytes$/,
    ],
    ['a byte too many', 'a.png', { maxBytes: 10 }, file('a.png', () => new Uint8Array(11)), 'FS_TOO_LARGE', /11 bytes/],
    ['empty', 'a.png', {}, file('a.png', () => new Uint8Array()), 'INVALID_IMAGE', /no PNG, JPEG, WebP or GIF/],
    [
      'a text',
      'a.png',
      {},
      file('a.png', () => Buffer.from('hello')),
      'INVALID_IMAGE',
      /check that the file is complete/,
    ],
    [
      'SVG without a name for it',
      'svg',
      {},
      file('svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      'INVALID_IMAGE',
      /no PNG/,
    ],
    [
      'another kind than its name',
      'a.jpg',
      {},
      file('a.jpg', () => png(2, 2)),
      'IMAGE_TYPE_MISMATCH',
      /is said to be image\/jpeg and is image\/png; rename the file/,
    ],
    [
      'cut off',
      'a.png',
      {},
      file('a.png', async () => (await blank(500, 500).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 200_000)),
      'INVALID_IMAGE',
      /cannot be decoded/,
    ],
    [
      'a header alone',
      'a.png',
      {},
      file('a.png', async () => (await png(5, 5)).subarray(0, 20)),
      'INVALID_IMAGE',
      /cannot be decoded/,
    ],
    [
      'too long a side',
      'a.png',
      {},
      file('a.png', () => png(8_193, 1)),
      'IMAGE_DIMENSION_TOO_LARGE',
      /measures 8193x1 px, the limit is 8192 px a side; make a smaller copy/,
    ],
    [
      'too many pixels',
      'a.png',
      { maxPixels: 99 },
      file('a.png', () => png(10, 10)),
      'IMAGE_TOO_MANY_PIXELS',
      /has 100 pixels, the limit is 99; make a smaller copy/,
    ],
    [
      'nothing a model could be shown',
      'a.png',
      { maxShownBytes: 10 },
      file('a.png', () => png(10, 10)),
      'IMAGE_TOO_LARGE',
      /make a copy of fewer than 10 bytes/,
    ],
  ])('%s', async (_name, path, images, make, code, message) => {
    expect(await failing(path, images, make)).toEqual({ code, text: expect.stringMatching(message) });
  });
});

test('a picture that cannot be made small enough: what to do instead', () => {
  const error = new ToolError('IMAGE_NOT_ENCODABLE', 'the image cannot be made smaller: why');
  const told = explainImageError(error, { path: 'a.png', settings: ToolSettings.parse({}).images });
  expect(told).toMatchObject({
    code: 'IMAGE_NOT_ENCODABLE',
    message:
      'cannot show "a.png": the image cannot be made smaller: why; convert it to an 8-bit PNG or a JPEG of at most 2048 px a side with a program, and read that',
  });
});
