import { z } from 'zod';
import { REF_MEMBERS } from './authored.ts';
import { BlobRef, isBlobRef } from './blob.ts';
import { DomainError } from './errors.ts';
import type { SessionEventMap, SessionEventType, SurfaceEventType } from './events.ts';
import { explainIssues } from './explain-issues.ts';

/** What has to be open when an event is appended; turn and step numbers in its payload must be the open ones. */
export type EnclosureLevel = 'turn' | 'step';

/** Declares that events of one type open, and of another close, a bracket exactly once per key within a turn. */
export type PairRule<Data> =
  | { opens: string; key: (data: Data) => string }
  | { closes: string; key: (data: Data) => string };

/** Whether the type stands on the surface is stated exactly when the type says so. */
type SurfaceMark<T extends SessionEventType> = T extends SurfaceEventType
  ? { surface: true; outOfBand?: never }
  : { surface?: never; /** May be written while the session is idle. */ outOfBand?: true };

/** How one event type is validated and where it may stand. */
export type EventRule<T extends SessionEventType> = {
  /** Strict, and must not transform. */
  schema: z.ZodType<SessionEventMap[T]>;
  /** Defaults to `turn`. */
  enclosure?: EnclosureLevel;
  pair?: PairRule<SessionEventMap[T]>;
} & SurfaceMark<T>;

interface StoredRule {
  schema: z.ZodType;
  enclosure: EnclosureLevel;
  surface: boolean;
  outOfBand: boolean;
  pair?: PairRule<never>;
}

const rules = new Map<string, StoredRule>();

/** Adds an event type merged into `SessionEventMap`. Throws `DOMAIN_DUPLICATE_VARIANT` for one already there. */
export function registerEvent<T extends SessionEventType>(type: T, rule: EventRule<T>): void {
  if (rules.has(type)) throw new DomainError('DOMAIN_DUPLICATE_VARIANT', `event type "${type}" is already registered`);
  rules.set(type, {
    schema: rule.schema,
    enclosure: rule.enclosure ?? 'turn',
    surface: rule.surface === true,
    outOfBand: rule.outOfBand === true,
    ...(rule.pair && { pair: rule.pair as PairRule<never> }),
  });
}

/** The rule of an event type; throws `DOMAIN_UNKNOWN_VARIANT` for one nobody registered. */
export function eventRule(type: string): StoredRule {
  const rule = rules.get(type);
  if (rule) return rule;
  throw new DomainError('DOMAIN_UNKNOWN_VARIANT', `unknown event type "${type}"; load the package that registers it`);
}

/** Whether somebody registered the event type. */
export function isEventType(type: string): type is SessionEventType {
  return rules.has(type);
}

/** Whether events of the type stand on the surface; false for unknown types. */
export function isSurfaceType(type: string): type is SurfaceEventType {
  return rules.get(type)?.surface === true;
}

/** Every registered event type, in order of registration. */
export function eventTypes(): SessionEventType[] {
  return [...rules.keys()] as SessionEventType[];
}

/** Validates a payload as the log keeps it; throws `DOMAIN_INVALID_EVENT` naming the field. */
export function validateEventData(type: string, data: unknown): void {
  refuseUnless(type, eventRule(type).schema.safeParse(data));
}

/** Validates a payload as its author writes it, where {@link REF_MEMBERS} may be references. */
export function validateAuthoredData(type: string, data: unknown): void {
  const { schema } = eventRule(type);
  refuseUnless(type, withReferences(schema, data).safeParse(data));
}

function refuseUnless(type: string, result: z.ZodSafeParseResult<unknown>): void {
  if (result.success) return;
  throw new DomainError('DOMAIN_INVALID_EVENT', explainIssues(result.error, `${type}.data`), { cause: result.error });
}

function withReferences(schema: z.ZodType, data: unknown): z.ZodType {
  if (!(schema instanceof z.ZodObject) || typeof data !== 'object' || data === null) return schema;
  const shape = schema.shape as Record<string, z.ZodType>;
  const members = REF_MEMBERS.filter(
    (member) => member in shape && isBlobRef((data as Record<string, unknown>)[member]),
  );
  if (members.length === 0) return schema;
  return z.strictObject({ ...shape, ...Object.fromEntries(members.map((member) => [member, BlobRef])) });
}
