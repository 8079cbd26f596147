import { z } from 'zod';
import { ContentSchema } from './content-blocks.ts';
import type { ContentBlock } from './content.ts';
import { registerEvent } from './event-registry.ts';
import type { ToolErrorInfo } from './failures.ts';
import { CallId } from './ids.ts';

/** A call that a program made, and whose it is. */
export interface SubCallIdentity {
  /** The call of the step that everything belongs to. */
  rootCallId: CallId;
  /** The call whose program made this one. */
  parentCallId: CallId;
  /** `<parent>:ptc:<n>`. */
  subCallId: CallId;
  name: string;
  /** JSON text. */
  arguments: string;
}

declare module './events.ts' {
  interface SessionEventMap {
    'tool/ptc-dispatch-start': SubCallIdentity;
    'tool/ptc-dispatch': SubCallIdentity & { content: ContentBlock[]; isError: boolean; error?: ToolErrorInfo };
  }
}

const identity = {
  rootCallId: CallId,
  parentCallId: CallId,
  subCallId: CallId,
  name: z.string(),
  arguments: z.string(),
};

registerEvent('tool/ptc-dispatch-start', { schema: z.strictObject(identity), enclosure: 'step' });
registerEvent('tool/ptc-dispatch', {
  schema: z.strictObject({
    ...identity,
    content: ContentSchema,
    isError: z.boolean(),
    error: z.strictObject({ name: z.string().min(1), code: z.string().min(1) }).exactOptional(),
  }),
  enclosure: 'step',
});
