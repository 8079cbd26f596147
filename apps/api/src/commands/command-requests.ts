import { parseCommand } from '@everturn/core/domain';
import { z } from 'zod';

/** A command as a person types it. */
export const CommandBody = z.strictObject({
  command: z
    .string()
    .max(100_000)
    .refine((line) => parseCommand(line) !== undefined, 'must begin with / and a name, such as "/plan off"'),
});
export type CommandBody = z.output<typeof CommandBody>;

/** What there is to call. */
export const CommandList = z.strictObject({
  commands: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      input: z.string().optional().describe('what may follow'),
    }),
  ),
});
