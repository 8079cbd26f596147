export type ImageErrorCode =
  | 'IMAGE_TOO_LARGE'
  | 'IMAGE_TOO_MANY_PIXELS'
  | 'IMAGE_DIMENSION_TOO_LARGE'
  | 'IMAGE_TYPE_MISMATCH'
  | 'IMAGE_NOT_ENCODABLE'
  | 'INVALID_IMAGE';

const MARK = Symbol.for('everturn.image-error');

/** Why a picture may not be stored; its message is for whoever sent it. */
export class ImageError extends Error {
  readonly [MARK] = true;
  readonly code: ImageErrorCode;

  constructor(code: ImageErrorCode, message: string) {
    super(message);
    this.name = 'ImageError';
    this.code = code;
  }
}

export const isImageError = (error: unknown): error is ImageError =>
  error instanceof Error && MARK in error && error[MARK] === true;
