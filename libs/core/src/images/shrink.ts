import type { Sharp } from 'sharp';
import type { AdmittedImage, ImageLimits, ImageMediaType } from '../domain/index.ts';
import { ImageError } from './image-error.ts';
import { imageLibrary } from './open-image.ts';

/** Each further attempt has this part of the sides of the one before. */
const STEP = 0.75;
const ATTEMPTS = 8;

/** A smaller picture of the same kind that fits what models are shown; an animation keeps its first frame. */
export async function shrink(image: AdmittedImage, limits: ImageLimits): Promise<AdmittedImage> {
  const { bytes, mediaType, width, height } = image;
  const sharp = await imageLibrary();
  let side = Math.min(limits.maxShownSide, Math.max(width, height));
  for (let attempt = 0; attempt < ATTEMPTS; attempt++, side = Math.max(1, Math.floor(side * STEP))) {
    const picture = sharp(bytes, { limitInputPixels: false })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
    const { data, info } = await encode(picture, mediaType).toBuffer({ resolveWithObject: true }).catch(unencodable);
    if (data.length > limits.maxShownBytes) continue;
    return { bytes: data, mediaType, width: info.width, height: info.height, original: { width, height } };
  }
  throw new ImageError('IMAGE_TOO_LARGE', `the image cannot be brought below ${limits.maxShownBytes} bytes`);
}

function encode(picture: Sharp, mediaType: ImageMediaType): Sharp {
  switch (mediaType) {
    case 'image/png':
      return picture.png();
    case 'image/jpeg':
      return picture.jpeg({ quality: 85 });
    case 'image/webp':
      return picture.webp({ quality: 85 });
    case 'image/gif':
      return picture.gif();
  }
}

function unencodable(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new ImageError('IMAGE_NOT_ENCODABLE', `the image cannot be made smaller: ${why}`);
}
