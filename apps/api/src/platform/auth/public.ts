import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'everturn:public';

/** Marks a handler that needs no API key: health, metrics and the API's own description. */
export const Public = (): MethodDecorator => SetMetadata(PUBLIC, true);
