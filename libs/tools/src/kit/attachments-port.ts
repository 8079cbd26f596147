import type { AdmittedImage, ImageBlock, ImageMediaType } from '@everturn/core/domain';

/** Where pictures are kept for the models that are shown them. */
export interface AttachmentsPort {
  /** Checks and, where it is too large for a model, shrinks a picture; throws a `ToolError` with an `IMAGE_…` code. */
  admit(bytes: Uint8Array, mediaType?: ImageMediaType): Promise<AdmittedImage>;
  /** Stores an admitted picture once by its content; durable when it resolves. */
  store(image: AdmittedImage): Promise<ImageBlock>;
  /** Both at once. */
  save(bytes: Uint8Array, mediaType?: ImageMediaType): Promise<ImageBlock>;
}

/** The model that will be shown a call's result. */
export interface ModelRoute {
  readonly provider: string;
  readonly model: string;
  readonly takesImages: boolean;
}
