import { z } from 'zod';

const ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/;
const identifier = <Name extends string>(name: Name) =>
  z.string().regex(ID_PATTERN, `${name} must match ${ID_PATTERN.source}`).brand<Name>();

/** A session, which is also the id of its agent. Chosen by the caller or minted. */
export const SessionId = identifier('SessionId');
export type SessionId = z.infer<typeof SessionId>;

/** Who owns a session; the first condition of every query and every check. */
export const TenantId = identifier('TenantId');
export type TenantId = z.infer<typeof TenantId>;

/** A tool call as the model named it; unique within its step only. Source: the provider. */
export const CallId = z.string().min(1).brand<'CallId'>();
export type CallId = z.infer<typeof CallId>;

/** A request of a client to a session (prompt, cancel, answer, knob); deduplicates its delivery. */
export const RequestId = identifier('RequestId');
export type RequestId = z.infer<typeof RequestId>;

/** A machine that runs tools; stable across restarts of its worker. */
export const HostId = identifier('HostId');
export type HostId = z.infer<typeof HostId>;

/** An event's name, given by its author before it has a number: `t3.s2~<generation>/<n>`. */
export const EventId = z
  .string()
  .regex(/^(?:[a-z0-9.:_-]+~\d+\/\d+|seed\/\d+)$/i, 'eid must read <author>~<generation>/<n> or seed/<seq>')
  .brand<'EventId'>();
export type EventId = z.infer<typeof EventId>;

/** sha256 (hex) of a stored value, keyed by tenant. */
export const BlobId = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'a blob id is 64 hex digits')
  .brand<'BlobId'>();
export type BlobId = z.infer<typeof BlobId>;

/** sha256 (hex) of a stored picture, keyed by tenant. */
export const AttachmentId = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'an attachment id is 64 hex digits')
  .brand<'AttachmentId'>();
export type AttachmentId = z.infer<typeof AttachmentId>;

/** Who writes events: the session, a turn, a step, or an activity of a step. */
export type Author = 'session' | `t${number}` | `t${number}.s${number}` | `t${number}.s${number}.${string}`;

/** Names an author's n-th event of one generation. */
export function eventId(author: Author, generation: number, n: number): EventId {
  return `${author}~${generation}/${n}` as EventId;
}

/** The parts of an event id, or `undefined` for a seed row (`seed/<seq>`). */
export function parseEventId(eid: EventId): { author: Author; generation: number; n: number } | undefined {
  const match = /^(.+)~(\d+)\/(\d+)$/.exec(eid);
  if (!match) return undefined;
  return { author: match[1] as Author, generation: Number(match[2]), n: Number(match[3]) };
}
