import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { AdmittedImage, AttachmentId } from '@everturn/core/domain';
import { openWorkspace } from './workspace.ts';
import { executeTool } from '../src/activity.ts';
import { ToolSettings, type AttachmentsPort, type ToolCallContext } from '../src/kit/index.ts';
import { admitImage } from '../src/world/index.ts';

/** A blank picture, and as PNG. */
export const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#369' } });
export const png = (width: number, height: number) => blank(width, height).png().toBuffer();

const SEEING = async () => ({ provider: 'p', model: 'm', takesImages: true });

/** A workspace whose pictures are admitted for real, and kept in a list. */
export async function looking(overrides: Partial<ToolCallContext> = {}, images: object = {}) {
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
