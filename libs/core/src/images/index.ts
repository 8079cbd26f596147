export { admitImage, type AdmitImageInput } from './admit-image.ts';
export { ImageError, isImageError, type ImageErrorCode } from './image-error.ts';
