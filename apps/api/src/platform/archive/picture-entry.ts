import { IMAGE_MEDIA_TYPES, type ImageMediaType } from '@everturn/core/domain';

const FOLDER = 'attachments/';
const ENDING: Record<ImageMediaType, string> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/gif': '.gif',
};

/** What a picture is called in an archive: once for all logs in it, so that people can open it. */
export const pictureEntry = (id: string, mediaType: ImageMediaType): string => `${FOLDER}${id}${ENDING[mediaType]}`;

/** All it may be called. */
export const pictureEntries = (id: string): string[] => IMAGE_MEDIA_TYPES.map((type) => pictureEntry(id, type));

/** The id of a picture in an archive. */
export const pictureOf = (entry: string): string => entry.slice(FOLDER.length, entry.lastIndexOf('.'));
