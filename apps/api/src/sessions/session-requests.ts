import { isDomainError, SessionId, snapshotJson, Workspace } from '@everturn/core/domain';
import { SessionOptions } from '@everturn/core/protocol';
import { z } from 'zod';
import { MessageContent } from '../platform/schemas/content.ts';
import { cursorText } from '../platform/schemas/cursor.ts';
import { commaList, instant, wholeNumber } from '../platform/schemas/query-values.ts';
import { SessionStatus } from '../platform/schemas/session-state.ts';

const { metadata: _, delegation: _ours, stepIsolation, ...settings } = SessionOptions.shape;

const Metadata = z.record(z.string().min(1).max(200), z.json()).superRefine((value, context) => {
  try {
    snapshotJson(value, 'metadata');
  } catch (error) {
    if (!isDomainError(error)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
  }
});

/** What a session is created with; everything is optional. */
export const CreateSession = z.strictObject({
  id: SessionId.optional().describe('chosen by the caller, who may then repeat the request'),
  ...settings,
  stepIsolation,
  workspace: Workspace.optional().describe('absolute folder on the machine that runs its tools'),
  metadata: Metadata.optional().describe('any JSON; lists filter by it'),
  prompt: MessageContent.optional().describe('the first prompt; it may call for a skill by `/name`, and be no command'),
});
export type CreateSession = z.output<typeof CreateSession>;

const metadataFilter = z
  .string()
  .max(4_000)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON object' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), z.json()));

/** Which sessions to list. */
export const ListSessions = z.strictObject({
  cursor: cursorText.optional(),
  limit: wholeNumber({ min: 1, max: 200 }).optional().describe('most sessions of a page; default 50'),
  status: commaList.pipe(z.array(SessionStatus)).optional().describe('any of these, separated by commas'),
  metadata: metadataFilter.optional().describe('a JSON object; sessions whose metadata holds all of it'),
  parent: SessionId.optional().describe('children of this session'),
  createdAfter: instant.optional(),
  createdBefore: instant.optional(),
});
export type ListSessions = z.output<typeof ListSessions>;

/** How to read one session. */
export const ReadSession = z.strictObject({
  whenIdle: wholeNumber({ min: 0, max: 60 })
    .optional()
    .describe('seconds to wait until nothing runs and nothing is queued; the answer tells where it stands'),
});
export type ReadSession = z.output<typeof ReadSession>;
