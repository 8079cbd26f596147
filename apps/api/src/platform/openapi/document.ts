import { z } from 'zod';
import { Problem, type ProblemCode } from '../errors/problem.ts';
import { ApiError } from '../errors/api-error.ts';
import type { RouteAnswer, RouteDescription } from '../http/describe.ts';
import type { DeclaredRoute } from './list-routes.ts';

type Json = Record<string, unknown>;

interface DocumentInput {
  routes: DeclaredRoute[];
  version: string;
}

/** The OpenAPI 3.1 document of the given routes, made from the schemas that validate them. */
export function openApiDocument({ routes, version }: DocumentInput): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route);
  const schemas: Record<string, unknown> = { Problem: jsonSchema(Problem, 'output') };
  return hoist(
    {
      openapi: '3.1.0',
      info: { title: 'Everturn', version, description: 'A durable backend for LLM agents: work in, events out.' },
      servers: [{ url: '/' }],
      security: [{ key: [] }],
      paths,
      components: {
        schemas,
        securitySchemes: { key: { type: 'http', scheme: 'bearer', bearerFormat: 'evt_…' } },
      },
    },
    schemas,
  ) as Json;
}

/** Moves the definitions that each schema brings along to the place where OpenAPI looks for them. */
function hoist(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((member) => hoist(member, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $defs = {}, ...rest } = value as { $defs?: Record<string, unknown> };
  for (const [name, schema] of Object.entries($defs)) schemas[name] ??= hoist(schema, schemas);
  return Object.fromEntries(
    Object.entries(rest).map(([name, member]) =>
      name === '$ref' && typeof member === 'string'
        ? [name, member.replace('#/$defs/', '#/components/schemas/')]
        : [name, hoist(member, schemas)],
    ),
  );
}

function operation(route: DeclaredRoute): Json {
  const { description, request } = route;
  const answers = Object.entries(description?.answers ?? {}).map(([status, answer]) => [status, response(answer)]);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: description?.summary ?? '',
    ...(description?.description && { description: description.description }),
    ...(description?.access === 'public' && { security: [] }),
    parameters: parameters(route),
    ...(request.body && {
      requestBody: { required: !acceptsNothing(request.body), ...content(request.body, 'input') },
    }),
    ...(description?.upload && { requestBody: upload(description.upload) }),
    responses: { ...Object.fromEntries(answers), ...refusals(description?.refusals ?? [], description?.access) },
  };
}

function parameters({ request, description }: DeclaredRoute): Json[] {
  const headers = (description?.headers ?? []).map((header) => ({
    name: header.name,
    in: 'header',
    required: false,
    description: header.description,
    schema: { type: 'string' },
  }));
  return [...members(request.path, 'path'), ...members(request.query, 'query'), ...headers];
}

function members(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, member]) => {
    const json = jsonSchema(member as z.ZodType, 'input');
    return {
      name,
      in: place,
      required: place === 'path' || !acceptsNothing(member as z.ZodType),
      ...(typeof json['description'] === 'string' && { description: json['description'] }),
      schema: json,
    };
  });
}

function response(answer: RouteAnswer): Json {
  const { alternative, schema } = answer;
  const bodies = {
    ...(schema && { 'application/json': { schema: jsonSchema(schema, 'output') } }),
    ...(alternative && {
      [alternative.mediaType]: { schema: { type: 'string', description: alternative.description } },
    }),
  };
  return { description: answer.description, ...(Object.keys(bodies).length > 0 && { content: bodies }) };
}

function refusals(codes: ProblemCode[], access: 'key' | 'public' = 'key'): Record<string, Json> {
  const all: ProblemCode[] = [
    ...codes,
    ...(access === 'key' ? (['UNAUTHENTICATED', 'DATABASE_UNAVAILABLE'] as const) : []),
  ];
  const byStatus = Map.groupBy(new Set(all), (code) => new ApiError({ code, message: code }).status);
  const entries = [...byStatus].map(([status, names]) => [
    String(status),
    {
      description: names.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]);
  return Object.fromEntries(entries);
}

function content(schema: z.ZodType, io: 'input' | 'output'): Json {
  return { content: { 'application/json': { schema: jsonSchema(schema, io) } } };
}

function upload({ mediaTypes, description }: NonNullable<RouteDescription['upload']>): Json {
  return {
    required: true,
    description,
    content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: { contentMediaType: type } }])),
  };
}

function acceptsNothing(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

/** Extensible unions validate by registry, which JSON Schema cannot say; they appear as any value. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const {
    $schema: _dialect,
    id: _id,
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return json as Json;
}
