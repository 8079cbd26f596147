import { isDomainError, normalizeTitle, SessionId, snapshotJson, type JsonValue } from '@everturn/core/domain';
import { z } from 'zod';
import { MessageContent } from '../platform/schemas/content.ts';

const Meta = z.json().transform((value, context): JsonValue => {
  try {
    return snapshotJson(value, 'meta');
  } catch (error) {
    if (!isDomainError(error)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** Context for a session. */
export const InjectBody = z.strictObject({
  content: MessageContent,
  meta: Meta.optional().describe('kept with the context, never shown to the model'),
});
export type InjectBody = z.output<typeof InjectBody>;

/** Sessions to be quoted. */
export const ReferencesBody = z.strictObject({
  sessions: z.array(SessionId).min(1).describe('at most 5, each once; what their models would be sent now is quoted'),
});
export type ReferencesBody = z.output<typeof ReferencesBody>;

/** What a session is to be called. */
export const TitleBody = z.strictObject({
  title: z
    .string()
    .max(1_000)
    .transform((value, context): string => {
      const title = normalizeTitle(value);
      if (title !== undefined) return title;
      context.addIssue({ code: 'custom', message: 'must hold something to read' });
      return z.NEVER;
    })
    .describe('one line; more than 80 bytes are cut'),
});
export type TitleBody = z.output<typeof TitleBody>;

/** Requests that need no body take none, or an empty object. */
export const NoBody = z.strictObject({}).nullish();
