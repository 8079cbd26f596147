import { Inject, Injectable } from '@nestjs/common';
import {
  IMAGE_LIMITS,
  type AdmittedImage,
  type ContentBlock,
  type ImageBlock,
  type ImageMediaType,
  type TenantId,
} from '@everturn/core/domain';
import { admitImage, isImageError } from '@everturn/core/images';
import { putAttachment, readAttachmentFacts, referToAttachment, type Database } from '@everturn/core/postgres';
import { ApiError } from '../errors/api-error.ts';
import type { ProblemCode } from '../errors/problem.ts';
import type { MessageContent } from '../schemas/content.ts';
import type { InlinePicture, PictureBlock } from '../schemas/picture.ts';
import { DATABASE } from '../tokens.ts';
import { ModelRoutes, type ModelRoute } from './model-routes.ts';

export interface AdmitInput {
  tenant: TenantId;
  content: MessageContent;
  /** The content's name in the request, for who has to mend it. */
  field: string;
  /** Which model will read it, as far as anybody knows now; asked only where there are pictures. */
  route: () => Promise<ModelRoute>;
}

/** Content that may be sent: `store` keeps its pictures for good and answers what the log will hold. */
export interface AdmittedContent {
  /** Throws `INVALID_REQUEST` where an upload went meanwhile. */
  store(): Promise<ContentBlock[]>;
}

type Admitted = { block: ContentBlock } | { image: AdmittedImage } | { upload: ImageBlock; field: string };

/** Takes the pictures of messages: all are checked before any is kept. Text costs nothing here. */
@Injectable()
export class PictureDesk {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ModelRoutes) private readonly routes: ModelRoutes,
  ) {}

  /** Throws `UNSUPPORTED_CONTENT` for a model that sees none and `INVALID_REQUEST` for a bad picture, named by field. */
  async admit({ tenant, content, field, route }: AdmitInput): Promise<AdmittedContent> {
    const first = content.findIndex(({ type }) => type === 'image');
    if (first < 0) return { store: async () => content as ContentBlock[] };
    await this.#refuseBlind(tenant, await route(), `${field}[${first}]`);
    const admitted: Admitted[] = [];
    for (const [index, block] of content.entries())
      admitted.push(block.type === 'text' ? { block } : await this.#admitOne(tenant, block, `${field}[${index}]`));
    return { store: () => Promise.all(admitted.map((each) => this.#keep(tenant, each))) };
  }

  /** Stores a picture that comes alone; `field` names it. */
  async upload(tenant: TenantId, bytes: Uint8Array, mediaType: ImageMediaType, field: string): Promise<ImageBlock> {
    return putAttachment(this.database, tenant, await checked(bytes, mediaType, field), 'upload');
  }

  async #refuseBlind(tenant: TenantId, route: ModelRoute, field: string): Promise<void> {
    if ((await this.routes.takesPictures(tenant, route)) !== false) return;
    throw refusal('UNSUPPORTED_CONTENT', field, `the model "${route.model}" takes no pictures: choose one that does`);
  }

  async #admitOne(tenant: TenantId, block: PictureBlock, field: string): Promise<Admitted> {
    if (!('attachmentId' in block)) return { image: await admittedInline(block, `${field}.data`) };
    const upload = await readAttachmentFacts(this.database, tenant, block.attachmentId);
    if (upload) return { upload, field };
    throw notStored(block, field);
  }

  async #keep(tenant: TenantId, each: Admitted): Promise<ContentBlock> {
    if ('block' in each) return each.block;
    if ('image' in each) return putAttachment(this.database, tenant, each.image);
    const { upload, field } = each;
    if (await referToAttachment(this.database, tenant, upload.attachmentId)) return upload;
    throw notStored(upload, field);
  }
}

const notStored = ({ attachmentId }: Pick<ImageBlock, 'attachmentId'>, field: string): ApiError =>
  refusal('INVALID_REQUEST', `${field}.attachmentId`, `no picture "${attachmentId}" is stored: upload it first`);

const admittedInline = ({ data, mediaType }: InlinePicture, field: string): Promise<AdmittedImage> =>
  checked(Buffer.from(data, 'base64'), mediaType as ImageMediaType, field); // the schema of the request knows it

function checked(bytes: Uint8Array, mediaType: ImageMediaType, field: string): Promise<AdmittedImage> {
  return admitImage({ bytes, mediaType, limits: IMAGE_LIMITS }).catch((error: unknown) => {
    throw isImageError(error) ? refusal('INVALID_REQUEST', field, error.message) : error;
  });
}

function refusal(code: ProblemCode, field: string, message: string): ApiError {
  return new ApiError({ code, message: `${field}: ${message}`, issues: [{ field, message }] });
}
