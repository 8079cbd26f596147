import { z } from 'zod';

/** What the sender of a message is told. */
export const PromptReceipt = z
  .strictObject({
    promptId: z.string().describe('names the prompt and, as a request id, its outcome'),
    accepted: z
      .enum(['delivered', 'queued'])
      .describe('delivered: the session has it; queued: it is kept and the session will find it'),
    requestId: z.string(),
    position: z.int().optional().describe('messages ahead of it; 0 = next, or handed to the running turn'),
    turn: z.int().optional().describe('the turn that took it, once known'),
    state: z.enum(['waiting', 'running', 'ended', 'discarded']).optional().describe('with ?wait: how far it came'),
    end: z.unknown().optional().describe('with ?wait: how that turn ended'),
  })
  .meta({ id: 'PromptReceipt' });
export type PromptReceipt = z.output<typeof PromptReceipt>;

/** What the sender of any other request is told. */
export const RequestReceipt = z
  .strictObject({
    requestId: z.string(),
    accepted: z.enum(['delivered', 'queued']).describe('queued: GET …/requests/{requestId} tells the outcome'),
  })
  .meta({ id: 'RequestReceipt' });
export type RequestReceipt = z.output<typeof RequestReceipt>;
