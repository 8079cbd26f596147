import 'reflect-metadata';
import type { z } from 'zod';
import type { ProblemCode } from '../errors/problem.ts';

const DESCRIPTION = 'everturn:route';

/** What a success of a route looks like. */
export interface RouteAnswer {
  description: string;
  /** Absent: the answer has no JSON body. */
  schema?: z.ZodType;
  /** Another representation, chosen by `Accept`. */
  alternative?: { mediaType: string; description: string };
}

/** A request header a route understands. */
export interface RouteHeader {
  name: string;
  description: string;
}

/** What the OpenAPI document says about a route besides its request schemas. */
export interface RouteDescription {
  summary: string;
  description?: string;
  /** A body that is not JSON. */
  upload?: { mediaTypes: readonly string[]; description: string };
  answers: Record<number, RouteAnswer>;
  refusals?: ProblemCode[];
  headers?: RouteHeader[];
  access?: 'key' | 'public';
}

/** Documents a handler; every handler carries it, which a test asserts. */
export function Describe(description: RouteDescription): MethodDecorator {
  return (prototype, handler) => Reflect.defineMetadata(DESCRIPTION, description, prototype, handler);
}

/** What {@link Describe} was given on a handler. */
export function routeDescription(prototype: object, handler: string): RouteDescription | undefined {
  return Reflect.getMetadata(DESCRIPTION, prototype, handler) as RouteDescription | undefined;
}
