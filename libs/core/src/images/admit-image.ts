import { imageTypeOf, type AdmittedImage, type ImageLimits, type ImageMediaType } from '../domain/index.ts';
import { ImageError } from './image-error.ts';
import { openImage } from './open-image.ts';
import { shrink } from './shrink.ts';

export interface AdmitImageInput {
  bytes: Uint8Array;
  /** What it is said to be; the bytes decide, and a contradiction is refused. */
  mediaType?: ImageMediaType | undefined;
  limits: ImageLimits;
}

/** Checks a picture against the limits, decodes it once to the end, and shrinks it for models. Throws `ImageError`. */
export async function admitImage({ bytes, mediaType: said, limits }: AdmitImageInput): Promise<AdmittedImage> {
  if (bytes.length > limits.maxBytes)
    throw new ImageError('IMAGE_TOO_LARGE', `the image has ${bytes.length} bytes, the limit is ${limits.maxBytes}`);
  const mediaType = imageTypeOf(bytes);
  if (!mediaType) throw new ImageError('INVALID_IMAGE', 'the bytes are no PNG, JPEG, WebP or GIF image');
  if (said && said !== mediaType)
    throw new ImageError('IMAGE_TYPE_MISMATCH', `the image is said to be ${said} and is ${mediaType}`);
  const { width, height, decode } = await openImage(bytes);
  const { maxSide, maxPixels } = limits;
  if (Math.max(width, height) > maxSide)
    throw new ImageError(
      'IMAGE_DIMENSION_TOO_LARGE',
      `the image measures ${width}x${height} px, the limit is ${maxSide} px a side`,
    );
  if (width * height > maxPixels)
    throw new ImageError('IMAGE_TOO_MANY_PIXELS', `the image has ${width * height} pixels, the limit is ${maxPixels}`);
  await decode();
  const image: AdmittedImage = { bytes, mediaType, width, height };
  const fits = Math.max(width, height) <= limits.maxShownSide && bytes.length <= limits.maxShownBytes;
  return fits ? image : shrink(image, limits);
}
