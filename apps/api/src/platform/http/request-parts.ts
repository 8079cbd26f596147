import { Body, Param, Query } from '@nestjs/common';
import 'reflect-metadata';
import type { z } from 'zod';
import { ZodPipe } from './zod.pipe.ts';

const PARTS = 'everturn:request-parts';

/** The schemas of a handler's request, from which both validation and the OpenAPI document are made. */
export interface RequestSchemas {
  body?: z.ZodType;
  query?: z.ZodObject;
  path?: z.ZodObject;
}

/** The JSON body, validated. */
export const JsonBody = (schema: z.ZodType): ParameterDecorator =>
  part('body', schema, Body(new ZodPipe(schema, 'body')));
/** The query string, validated. */
export const QueryString = (schema: z.ZodObject): ParameterDecorator =>
  part('query', schema, Query(new ZodPipe(schema, 'query')));
/** The parameters in the path, validated. */
export const PathParameters = (schema: z.ZodObject): ParameterDecorator =>
  part('path', schema, Param(new ZodPipe(schema, 'path')));

/** What the decorators above were given on one handler. */
export function requestSchemas(prototype: object, handler: string): RequestSchemas {
  return (Reflect.getMetadata(PARTS, prototype, handler) as RequestSchemas | undefined) ?? {};
}

function part(name: keyof RequestSchemas, schema: z.ZodType, bind: ParameterDecorator): ParameterDecorator {
  return (prototype, handler, index) => {
    const known = requestSchemas(prototype, String(handler));
    Reflect.defineMetadata(PARTS, { ...known, [name]: schema }, prototype, String(handler));
    bind(prototype, handler, index);
  };
}
