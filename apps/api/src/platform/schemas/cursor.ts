import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { forbiddenText } from '../http/forbidden-text.ts';

/** A moment in a cursor, in epoch ms: from 1970 to the last one that is a date to both sides. */
export const cursorTime = z.int().min(0).max(8_640_000_000_000_000);

/** Makes and reads the opaque cursors of one list; throws `INVALID_CURSOR` for one it did not make. */
export function cursorOf<Schema extends z.ZodType>(schema: Schema) {
  return {
    write: (value: z.output<Schema>): string => Buffer.from(JSON.stringify(value)).toString('base64url'),
    read(cursor: string): z.output<Schema> {
      const value = decode(cursor);
      const parsed = schema.safeParse(value);
      if (parsed.success && forbiddenText(value, 'query.cursor').length === 0) return parsed.data;
      const message = 'query.cursor: is not a cursor of this list; use the "next" of an earlier page as it is';
      throw new ApiError({ code: 'INVALID_CURSOR', message, issues: [{ field: 'query.cursor', message }] });
    },
  };
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** `cursor` and `limit` of a list. */
export const cursorText = z.string().min(1).max(1_000).describe('the `next` of the page before');
