import { z } from 'zod';
import type { CommandResult } from './commands.ts';
import { registerEvent } from './event-registry.ts';
import { MessageSourceSchema } from './message-sources.ts';
import type { MessageSource } from './messages.ts';
import { turnTriggers } from './turn-variants.ts';

declare module './events.ts' {
  interface SessionEventMap {
    /** A person's command begins; the model sees nothing of it. */
    'command/run': { commandId: string; name: string; args?: string; source: MessageSource };
    'command/done': { commandId: string } & CommandResult;
    /** A remark about the session. */
    'feedback/record': { text: string };
  }
  interface TurnTriggerMap {
    command: { kind: 'command' };
  }
}

const commandId = z.string().min(1);
registerEvent('command/run', {
  schema: z.strictObject({
    commandId,
    name: z.string().min(1),
    args: z.string().exactOptional(),
    source: MessageSourceSchema,
  }),
  outOfBand: true,
});
registerEvent('command/done', {
  schema: z.strictObject({ commandId, kind: z.enum(['success', 'error']), text: z.string().exactOptional() }),
  outOfBand: true,
});
registerEvent('feedback/record', { schema: z.strictObject({ text: z.string().min(1) }), outOfBand: true });
turnTriggers.register('command', z.strictObject({ kind: z.literal('command') }));
