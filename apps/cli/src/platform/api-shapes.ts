import type { SessionEvent } from '@everturn/core/domain';
import { z } from 'zod';

// Only what this program reads; members that later versions add are kept and passed on by --json.

/** A session as the API renders it. */
export const Session = z.looseObject({
  id: z.string(),
  status: z.string(),
  createdAt: z.string(),
  title: z.string(),
  preview: z.string(),
  workspace: z.string().optional(),
  model: z.string().optional(),
  queueLength: z.number(),
  openTurn: z.number().optional(),
  usage: z.record(z.string(), z.unknown()),
  links: z.record(z.string(), z.string()),
});
export type Session = z.infer<typeof Session>;

/** A session with what waits in it. */
export const SessionDetails = Session.extend({
  queue: z.array(z.looseObject({ promptId: z.string(), preview: z.string().nullish() })),
  interactions: z.array(z.looseObject({ id: z.string(), kind: z.string() })),
});
export type SessionDetails = z.infer<typeof SessionDetails>;

export const SessionPage = z.looseObject({ sessions: z.array(Session), next: z.string().nullable() });

/** What the sender of a message is told. */
export const PromptReceipt = z.looseObject({ promptId: z.string(), turn: z.number().optional() });
export const CreatedSession = Session.extend({ prompt: PromptReceipt.optional() });

/** What the sender of any other request is told. */
export const RequestReceipt = z.looseObject({ requestId: z.string(), accepted: z.enum(['delivered', 'queued']) });

/** What became of a request. */
export const RequestOutcome = z.looseObject({
  outcome: z.enum(['pending', 'accepted', 'refused']),
  code: z.string().optional(),
  message: z.string().optional(),
  prompt: z.looseObject({ state: z.string(), turn: z.number().optional() }).optional(),
});
export type RequestOutcome = z.infer<typeof RequestOutcome>;

/** An event as far as any event is the same; types this program does not know pass, which no union of known ones says. */
export const Event: z.ZodType<SessionEvent> = z.looseObject({
  type: z.string(),
  seq: z.int(),
  time: z.number(),
  data: z.looseObject({}),
}) as unknown as z.ZodType<SessionEvent>;

export const EventPage = z.looseObject({ events: z.array(Event), next: z.int().nullable(), head: z.int() });

/** The frame that says where a session stands. */
export const StatusFrame = z.looseObject({ status: z.string() });

/** What people are asked. */
export const Interaction = z.looseObject({ id: z.string(), kind: z.string(), state: z.string(), request: z.unknown() });
export type Interaction = z.infer<typeof Interaction>;
export const Interactions = z.looseObject({ interactions: z.array(Interaction) });

/** Where plan mode stands. */
export const PlanReport = z.looseObject({ active: z.boolean(), next: z.boolean().optional() });
export const KnobReceipt = RequestReceipt.extend({ result: z.string().optional() });

/** What tools may do. */
export const PermissionsReport = z.looseObject({
  preset: z.string(),
  sandboxMode: z.string(),
  approvalPolicy: z.string(),
  presets: z.array(z.string()),
});

export const CommandList = z.looseObject({
  commands: z.array(z.looseObject({ name: z.string(), description: z.string(), input: z.string().optional() })),
});
/** What a command came to; `kind` is absent while that is not known. */
export const CommandReport = z.looseObject({
  kind: z.enum(['success', 'error']).optional(),
  text: z.string().optional(),
});

/** Where the parts of one session are found. */
export const sessionPath = (session: string, part = ''): string =>
  `/v1/sessions/${encodeURIComponent(session)}${part && `/${part}`}`;
