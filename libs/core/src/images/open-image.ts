import type sharpLibrary from 'sharp';
import type { Sharp } from 'sharp';
import { ImageError } from './image-error.ts';

type SharpLibrary = typeof sharpLibrary;
let loaded: Promise<SharpLibrary> | undefined;

/** The image library, loaded by the first picture: it is native and would slow every worker's start. */
export function imageLibrary(): Promise<SharpLibrary> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Pictures come from anywhere: nothing but the four decoders we mean may run, and nothing is kept between calls.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
    });
    sharp.cache(false);
    return sharp;
  });
  return loaded;
}

export interface OpenedImage {
  /** As it is shown, turned as its metadata says. */
  width: number;
  height: number;
  /** Reads all of it once; throws `INVALID_IMAGE` for one that is cut off or broken. */
  decode(): Promise<void>;
}

/** Reads an image's header; throws `INVALID_IMAGE`. */
export async function openImage(bytes: Uint8Array): Promise<OpenedImage> {
  const sharp = await imageLibrary();
  const open = (): Sharp => sharp(bytes, { failOn: 'error', limitInputPixels: false, sequentialRead: true });
  const metadata = await open().metadata().catch(invalid);
  const { width, height } = metadata.autoOrient;
  return {
    width,
    height,
    decode: async () => {
      await open().resize(8, 8, { fit: 'fill' }).raw().toBuffer().catch(invalid);
    },
  };
}

function invalid(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new ImageError('INVALID_IMAGE', `the image cannot be decoded: ${why}`);
}
