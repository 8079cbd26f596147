import { Controller, Get, Inject } from '@nestjs/common';
import { Describe } from '../http/describe.ts';
import { Public } from '../auth/public.ts';
import { OPENAPI_DOCUMENT } from './openapi-token.ts';

/** Serves the document that describes this API. */
@Controller('v1/openapi.json')
export class OpenApiController {
  constructor(@Inject(OPENAPI_DOCUMENT) private readonly document: object) {}

  @Get()
  @Public()
  @Describe({ summary: 'This API as OpenAPI 3.1', answers: { 200: { description: 'the document' } }, access: 'public' })
  read(): object {
    return this.document;
  }
}
