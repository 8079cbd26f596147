import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { AttachmentId } from '@everturn/core/domain';
import { openWorkspace, readBeforeWrite } from '../../test/workspace.ts';
import { executeTool } from '../activity.ts';
import {
  FileObservations,
  ToolSettings,
  type AdmittedImage,
  type AttachmentsPort,
  type ToolCallContext,
} from '../kit/index.ts';
import { admitImage } from '../world/index.ts';

const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#369' } });
const png = (width: number, height: number) => blank(width, height).png().toBuffer();

const SEEING = async () => ({ provider: 'p', model: 'm', takesImages: true });

/** A workspace whose pictures are admitted for real, and kept in a list. */
async function looking(overrides: Partial<ToolCallContext> = {}, images: object = {}) {
  const { cwd, context } = await openWorkspace();
  const stored: AdmittedImage[] = [];
  const settings = ToolSettings.parse({ images });
  const attachments: AttachmentsPort = {
    admit: (bytes, mediaType) => admitImage({ bytes, mediaType, limits: settings.images }),
    store: async (image) => {
      stored.push(image);
      const { mediaType, width, height, bytes } = image;
      return {
        type: 'image',
        attachmentId: 'a'.repeat(64) as AttachmentId,
        mediaType,
        width,
        height,
        bytes: bytes.length,
      };
    },
    save: async (bytes, mediaType) => attachments.store(await attachments.admit(bytes, mediaType)),
  };
  const base = context({
    settings,
    route: SEEING,
    ...overrides,
    ports: { ...context().ports, attachments, ...overrides.ports },
  });
  const call = (file_path: string) => executeTool({ name: 'read_image', args: { file_path }, context: base });
  return { cwd, stored, call, write: (name: string, bytes: Uint8Array) => writeFileSync(join(cwd, name), bytes) };
}

const shown = (path: string, line: string) =>
  `<path>${path}</path>\n<type>image</type>\n<content>\n${line}\n</content>`;

describe('a picture', () => {
  test.each([
    ['a.PNG', 'image/png', () => png(30, 20)],
    ['a.jpeg', 'image/jpeg', () => blank(30, 20).jpeg().toBuffer()],
    ['a.jpg', 'image/jpeg', () => blank(30, 20).jpeg().toBuffer()],
    ['a.webp', 'image/webp', () => blank(30, 20).webp().toBuffer()],
    ['a.gif', 'image/gif', () => blank(30, 20).gif().toBuffer()],
    ['no-extension', 'image/webp', () => blank(30, 20).webp().toBuffer()],
    ['.hidden', 'image/png', () => png(30, 20)],
    ['deep-color.png', 'image/png', () => blank(30, 20).toColourspace('rgb16').png().toBuffer()],
  ] as const)('%s is stored as it is and shown', async (name, mediaType, make) => {
    const { cwd, stored, call, write } = await looking();
    const bytes = await make();
    write(name, bytes);
    const { content, isError, meta } = await call(name);
    const facts = { mediaType, width: 30, height: 20, bytes: bytes.length };
    expect({ content, isError, meta }).toEqual({
      isError: false,
      content: [
        { type: 'text', text: shown(join(cwd, name), `${mediaType} image, 30x20 px, ${bytes.length} bytes`) },
        { type: 'image', attachmentId: 'a'.repeat(64), ...facts },
      ],
      meta: { path: join(cwd, name), ...facts },
    });
    expect(stored.map((image) => Buffer.compare(bytes, image.bytes))).toEqual([0]);
  });

  test('counts as read', async () => {
    const seen = new FileObservations();
    const { cwd, call, write } = await looking({ filePolicy: readBeforeWrite(seen) });
    write('a.png', await png(1, 1));
    await call('a.png');
    expect(seen.last({ displayPath: '', identity: join(cwd, 'a.png') })?.kind).toBe('present');
    await call('none.png');
    expect(seen.last({ displayPath: '', identity: join(cwd, 'none.png') })?.kind).toBe('absent');
  });
});

describe('a picture too large for a model', () => {
  test.each([
    [4_096, 2_048, '2048x1024', 'multiply coordinates by 2 to get those of the file'],
    [3_000, 100, '2048x68', 'multiply x by 1.4648 and y by 1.4706 to get coordinates of the file'],
  ])('of %d by %d is shown smaller, and how to get back is said', async (width, height, size, how) => {
    const { call, write, stored } = await looking();
    write('a.png', await png(width, height));
    const { content } = await call('a.png');
    const [words] = content;
    expect(words).toMatchObject({
      text: expect.stringContaining(
        `image/png image, ${size} px, ${stored[0]?.bytes.length} bytes (downscaled from ${width}x${height} px; ${how})`,
      ),
    });
    expect(await sharp(stored[0]!.bytes).metadata()).toMatchObject({
      format: 'png',
      width: Number(size.split('x')[0]),
    });
  });

  test('by its bytes is made smaller until it fits', async () => {
    const { call, write, stored } = await looking({}, { maxShownBytes: 60_000 });
    const noise = sharp({
      create: {
        width: 300,
        height: 200,
        channels: 3,
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
        background: '#000',
      },
    });
    write('a.png', await noise.png().toBuffer());
    expect((await call('a.png')).isError).toBe(false);
    expect(stored[0]?.bytes.length).toBeLessThanOrEqual(60_000);
    expect(stored[0]?.original).toEqual({ width: 300, height: 200 });
  });

  test.each(['jpeg', 'webp', 'gif', 'png'] as const)(
    'keeps its kind, and turns as its camera was held: %s',
    async (format) => {
      const { call, write, stored } = await looking({}, { maxShownSide: 50 });
      write(`a.${format}`, await blank(100, 60).toFormat(format).withMetadata({ orientation: 6 }).toBuffer());
      expect((await call(`a.${format}`)).isError).toBe(false);
      const { width, height, mediaType } = stored[0]!;
      expect({ mediaType, upright: height > width }).toEqual({
        mediaType: `image/${format}`,
        upright: format !== 'gif',
      });
    },
  );

  test('in sixteen bits a channel, too', async () => {
    const { call, write, stored } = await looking({}, { maxShownSide: 50 });
    write('a.png', await blank(100, 60).toColourspace('rgb16').png().toBuffer());
    expect((await call('a.png')).isError).toBe(false);
    expect(stored[0]).toMatchObject({ width: 50, height: 30 });
  });
});

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

test('exactly the limit is taken', async () => {
  const bytes = await png(10, 10);
  const { call, write } = await looking({}, { maxBytes: bytes.length, maxPixels: 100, maxSide: 10 });
  write('a.png', bytes);
  expect((await call('a.png')).isError).toBe(false);
});

test('a store that fails is told as it is', async () => {
  const { call, write } = await looking({
    ports: {
      attachments: {
        admit: async (bytes: Uint8Array) => ({ bytes, mediaType: 'image/png', width: 1, height: 1 }),
        store: () => Promise.reject(new Error('database is away')),
      },
    } as never,
  });
  write('a.png', await png(1, 1));
  expect((await call('a.png')).content).toEqual([{ type: 'text', text: 'Error: database is away' }]);
});
