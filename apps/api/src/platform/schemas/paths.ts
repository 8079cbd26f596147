import { RequestId, SessionId } from '@everturn/core/domain';
import { z } from 'zod';

/** `:id` of a session. */
export const SessionPath = z.strictObject({ id: SessionId.describe('the session') });
export type SessionPath = z.output<typeof SessionPath>;

/** `:id` of a session and one of its prompts. */
export const PromptPath = z.strictObject({ ...SessionPath.shape, promptId: RequestId.describe('the queued prompt') });
export type PromptPath = z.output<typeof PromptPath>;

/** `:id` of a session and one request to it. */
export const RequestPath = z.strictObject({ ...SessionPath.shape, requestId: RequestId.describe('the request') });
export type RequestPath = z.output<typeof RequestPath>;
