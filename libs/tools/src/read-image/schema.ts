import { defineTool, titledBy } from '../kit/index.ts';

/** Shows a picture to a model that can see. */
export const readImage = defineTool({
  name: 'read_image',
  description: [
    'Shows you a picture file: PNG, JPEG, WebP or GIF (its first frame where it has to be made smaller), up to 20 MiB, 64 million pixels and 8192 pixels a side.',
    'A large picture is shown smaller, and the result says by what to multiply its coordinates. Refused where the model in use takes no images. For text files use read.',
  ].join(' '),
  parameters: {
    type: 'object',
    properties: {
      file_path: {
        type: 'string',
        description:
          'The picture. A relative path starts in the session workspace. Its extension, if any, must be png, jpg, jpeg, webp or gif and say what it is.',
      },
    },
    required: ['file_path'],
  },
  home: 'host',
  effect: 'idempotent',
  readOnly: true,
  concurrency: () => 'parallel',
  presentCall: titledBy('Read image', 'file_path'),
});
