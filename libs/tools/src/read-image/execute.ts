import { text, type AdmittedImage, type ImageMediaType } from '@everturn/core/domain';
import { implementTool, observeMissing, ToolError, type AttachmentsPort, type ToolRunContext } from '../kit/index.ts';
import { explainImageError } from './explain-error.ts';
import { readImage } from './schema.ts';

const TYPES: Readonly<Record<string, ImageMediaType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Everything that can be refused is refused before the file is read; the picture is stored before the call returns. */
export const executeReadImage = implementTool(readImage, async ({ file_path: path }, context) => {
  if (path.trim() === '') throw new ToolError('FS_NOT_FOUND', 'file_path must be a non-empty string');
  const mediaType = typeByName(path);
  const attachments = await admission(context);
  const { cwd, signal, settings, ports } = context;
  const { maxBytes } = settings.images;
  const file = await observeMissing(path, context, () => ports.files.readBytes({ path, cwd, signal, maxBytes }));
  const image = await attachments.admit(file.bytes, mediaType).catch((error: unknown) => {
    throw explainImageError(error, { path: file.displayPath, settings: settings.images });
  });
  const block = await attachments.store(image);
  await context.filePolicy?.observed(file, { kind: 'present', version: file.version });
  const { displayPath } = file;
  const { width, height, bytes } = block;
  const facts = { path: displayPath, mediaType: block.mediaType, width, height, bytes };
  return { content: [text(envelope(displayPath, image)), block], meta: facts, value: facts };
});

/** The type a name announces; `undefined` for a name without extension, whose bytes decide. */
function typeByName(path: string): ImageMediaType | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return undefined;
  const type = TYPES[name.slice(dot + 1).toLowerCase()];
  if (type) return type;
  throw new Error(`read_image cannot show "${path}": its extension is none of ${Object.keys(TYPES).join(', ')}`);
}

/** The store, once it is known that the model which will read the result can see. */
async function admission({ ports, route }: ToolRunContext): Promise<AttachmentsPort> {
  if (!ports.attachments) throw new Error('read_image is not available: this deployment stores no images');
  const model = await route?.();
  if (!model) throw new Error('read_image is not available: it cannot be told which model would see the image');
  if (!model.takesImages)
    throw new Error(
      `the model "${model.model}" of provider "${model.provider}" takes text only; switch to a model that takes images, or examine the file with a program`,
    );
  return ports.attachments;
}

function envelope(path: string, { mediaType, width, height, bytes, original }: AdmittedImage): string {
  const line = `${mediaType} image, ${width}x${height} px, ${bytes.length} bytes`;
  return `<path>${path}</path>\n<type>image</type>\n<content>\n${line}${original ? scaleNote({ width, height }, original) : ''}\n</content>`;
}

interface Size {
  width: number;
  height: number;
}

/** How to get from a place in the shown picture to the same place in the file. */
function scaleNote(shown: Size, original: Size): string {
  const factor = (from: number, to: number) => String(Number((to / from).toFixed(4)));
  const [x, y] = [factor(shown.width, original.width), factor(shown.height, original.height)];
  const how =
    x === y
      ? `multiply coordinates by ${x} to get those of the file`
      : `multiply x by ${x} and y by ${y} to get coordinates of the file`;
  return ` (downscaled from ${original.width}x${original.height} px; ${how})`;
}
