import { isToolError, ToolError, type ImageSettings } from '../kit/index.ts';

/** A refused picture in words that tell what to do; whatever else failed passes through. */
export function explainImageError(
  error: unknown,
  { path, settings }: { path: string; settings: ImageSettings },
): unknown {
  if (!isToolError(error)) return error;
  const explained = (remedy: string) => new ToolError(error.code, `cannot show "${path}": ${error.message}; ${remedy}`);
  switch (error.code) {
    case 'IMAGE_TOO_MANY_PIXELS':
    case 'IMAGE_DIMENSION_TOO_LARGE':
      return explained('make a smaller copy, or cut out the part that matters, and read that');
    case 'IMAGE_TOO_LARGE':
      return explained(
        `make a copy of fewer than ${settings.maxShownBytes} bytes, as JPEG for instance, and read that`,
      );
    case 'IMAGE_TYPE_MISMATCH':
      return explained('rename the file to the extension of what it is, or convert it to what its name says');
    case 'INVALID_IMAGE':
      return explained('check that the file is complete, or convert it to PNG or JPEG with a program');
    case 'IMAGE_NOT_ENCODABLE':
      return explained('convert it to an 8-bit PNG or a JPEG of at most 2048 px a side with a program, and read that');
    default:
      return error;
  }
}
