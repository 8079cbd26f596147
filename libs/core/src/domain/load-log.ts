import './core-events.ts';
import { z } from 'zod';
import { snapshotJson } from './canonical-json.ts';
import { DomainError } from './errors.ts';
import { isEventType, validateEventData } from './event-registry.ts';
import type { SeqRange, SessionEvent } from './events.ts';
import { explainIssues } from './explain-issues.ts';
import { checkLog } from './log-invariants.ts';
import { Natural } from './scalars.ts';

/** Types that once were written and must not be taken for something to skip. */
const LEGACY_TYPES: ReadonlySet<string> = new Set(['request/header-delta']);

const Envelope = z.strictObject({
  type: z.string().min(1),
  seq: Natural,
  time: Natural,
  data: z.unknown(),
  surfaceOp: z
    .union([z.literal('append'), z.strictObject({ op: z.literal('replace'), start: Natural, end: Natural })])
    .exactOptional(),
  sourceEventSeqs: z.array(Natural).exactOptional(),
  ignorable: z.literal(true).exactOptional(),
});

/** Validates one event as readers see it and freezes it; throws a `DomainError` naming its number and field. */
export function parseSessionEvent(value: unknown): SessionEvent {
  const event = snapshotJson(value, 'event');
  const envelope = Envelope.safeParse(event);
  if (!envelope.success) throw new DomainError('DOMAIN_INVALID_EVENT', explainIssues(envelope.error, 'event'));
  const { type, seq, data, ignorable } = envelope.data;
  // Of a type we do not know and need not: carried as it is.
  if (!isEventType(type) && ignorable && !LEGACY_TYPES.has(type)) return event as unknown as SessionEvent;
  try {
    validateEventData(type, data);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `event ${seq}: ${error.message}`, { cause: error });
  }
  // The registered validator of its type has just accepted it.
  return event as unknown as SessionEvent;
}

export interface LoadLogInput {
  rows: Iterable<unknown>;
  /** Numbers known to be missing from the rows. */
  gaps?: readonly SeqRange[];
}

/** Loads a stored log: every envelope, payload, boundary, pairing and surface rule, or `DOMAIN_CORRUPT_LOG`. */
export function loadLog({ rows, gaps }: LoadLogInput): readonly SessionEvent[] {
  const events = Array.from(rows, (row) => parseSessionEvent(row));
  const [first] = checkLog({ events, payloads: 'trusted', ...(gaps && { gaps }) });
  if (first)
    throw new DomainError('DOMAIN_CORRUPT_LOG', `event ${first.seq} breaks the log (${first.rule}): ${first.message}`);
  return Object.freeze(events);
}
