import type { AdmittedImage } from '@everturn/core/domain';
import { admitImage as admit, isImageError, type AdmitImageInput } from '@everturn/core/images';
import { ToolError } from '../kit/index.ts';

/** Admits a picture for a tool; what is wrong with it is a `ToolError` of the same code. */
export const admitImage = (input: AdmitImageInput): Promise<AdmittedImage> =>
  admit(input).catch((error: unknown) => {
    throw isImageError(error) ? new ToolError(error.code, error.message, { cause: error }) : error;
  });
