import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { ProblemCode, type FieldIssue } from '../errors/problem.ts';
import { forbiddenText } from './forbidden-text.ts';

/** Which part of a request a schema reads; also the first word of every field it names. */
export type RequestPart = 'body' | 'query' | 'path' | 'header';

/** Validates one part of a request; refuses it naming every field at fault. */
export class ZodPipe<Schema extends z.ZodType> implements PipeTransform<unknown, z.output<Schema>> {
  readonly #schema: Schema;
  readonly #part: RequestPart;

  constructor(schema: Schema, part: RequestPart) {
    this.#schema = schema;
    this.#part = part;
  }

  transform(value: unknown): z.output<Schema> {
    return parseRequestPart({ schema: this.#schema, part: this.#part, value });
  }
}

interface ParseInput<Schema extends z.ZodType> {
  schema: Schema;
  part: RequestPart;
  value: unknown;
}

/** Validates a value of a request; throws `ApiError` with the code an issue names, else `INVALID_REQUEST`. */
export function parseRequestPart<Schema extends z.ZodType>(input: ParseInput<Schema>): z.output<Schema> {
  const { schema, part, value } = input;
  const forbidden = forbiddenText(value, part);
  if (forbidden.length > 0) throw refuse('INVALID_CHARACTERS', forbidden);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.flatMap((issue) => fieldIssues(issue, part));
  throw refuse(codeOf(parsed.error.issues), issues);
}

function refuse(code: ProblemCode, issues: FieldIssue[]): ApiError {
  const message = issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ');
  return new ApiError({ code, message, issues });
}

function codeOf(issues: z.core.$ZodIssue[]): ProblemCode {
  const named = issues.map((issue) => ('params' in issue ? issue.params?.['code'] : undefined));
  const parsed = ProblemCode.safeParse(named.find((code) => code !== undefined));
  return parsed.success ? parsed.data : 'INVALID_REQUEST';
}

function fieldIssues(issue: z.core.$ZodIssue, part: RequestPart): FieldIssue[] {
  const field = fieldName(part, issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: `${field}.${key}`, message: 'is not a field of this request' }));
  }
  return [{ field, message: issue.message }];
}

function fieldName(part: RequestPart, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, member) => (typeof member === 'number' ? `${name}[${member}]` : `${name}.${String(member)}`),
    part,
  );
}
