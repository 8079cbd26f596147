import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { blank, looking, png } from '../../test/pictures.ts';
import { readBeforeWrite } from '../../test/workspace.ts';
import { FileObservations } from '../kit/index.ts';

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
