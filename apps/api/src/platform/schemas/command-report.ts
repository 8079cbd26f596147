import { z } from 'zod';

/** What a command came to. */
export const CommandReport = z
  .strictObject({
    commandId: z.string().describe('also the id of the request'),
    accepted: z.enum(['delivered', 'queued']),
    kind: z.enum(['success', 'error']).optional().describe('absent: not known yet, `command/done` of the log will say'),
    text: z.string().optional(),
    promptId: z.string().optional().describe('the message it brought with it'),
  })
  .meta({ id: 'CommandReport' });
export type CommandReport = z.output<typeof CommandReport>;
