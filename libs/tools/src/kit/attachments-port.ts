import type { ImageBlock, ImageMediaType } from '@everturn/core/domain';

/** A picture that may be stored: decoded once, within the limits, and not larger than a model can use. */
export interface AdmittedImage {
  readonly bytes: Uint8Array;
  readonly mediaType: ImageMediaType;
  readonly width: number;
  readonly height: number;
  /** What it measured before it was made smaller. */
  readonly original?: { readonly width: number; readonly height: number };
}

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
