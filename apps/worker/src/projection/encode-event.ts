import { canonicalJson, eventRule, isBlobRef, REF_MEMBERS } from '@everturn/core/domain';
import type { AuthoredEvent, BlobId, JsonValue } from '@everturn/core/domain';

/** A piece of an event's stored data: text, or the blob whose text stands in its place. */
export type DataPart = string | { blob: BlobId };

/** An event as the SQL functions take it. Texts that a model chose travel as canonical JSON, since jsonb refuses NUL. */
export interface EncodedEvent {
  eid: string;
  type: string;
  time: number;
  parts: DataPart[];
  level: 'turn' | 'step';
  turn?: number;
  step?: number;
  /** The id of the call it starts or answers. */
  call?: string;
  /** The bracket it opens or closes. */
  opens?: string;
  closes?: string;
  /** Written by recovery, which may answer calls that never started and leave brackets open. */
  recovers?: true;
  surface?: 'append' | 'replace';
  start?: string | number;
  end?: string | number;
  sources?: readonly (string | { from: number; to: number })[];
}

/** Recovery's codes for results of calls without a `tool/call`. */
const RECOVERY_CODES: ReadonlySet<string> = new Set(['interrupted', 'TOOL_NOT_STARTED']);

interface KnownMembers {
  turn?: number;
  step?: number;
  callId?: string;
  error?: { code?: string };
  reason?: { kind?: string };
}

/** Prepares an event for its row; throws a `DomainError` for a type nobody registered or data that is not JSON. */
export function encodeEvent(event: AuthoredEvent): EncodedEvent {
  const { enclosure, pair } = eventRule(event.type);
  const data = event.data as KnownMembers;
  return {
    eid: event.eid,
    type: event.type,
    time: event.time,
    parts: dataParts(event.data),
    level: enclosure,
    ...(typeof data.turn === 'number' && { turn: data.turn }),
    ...(typeof data.step === 'number' && { step: data.step }),
    ...((event.type === 'tool/call' || event.type === 'tool/result') && { call: canonicalJson(data.callId) }),
    ...(pair && bracketOf(pair as AnyPair, event.data)),
    ...(recovers(event.type, data) && { recovers: true as const }),
    ...surfaceOf(event),
  };
}

/** Stored data as pieces: canonical JSON, with references left for the database to fill in. */
export function dataParts(data: object): DataPart[] {
  const parts: DataPart[] = [];
  let piece = '{';
  for (const key of Object.keys(data).toSorted()) {
    const member = (data as Record<string, JsonValue>)[key];
    piece += `${piece.endsWith('{') && parts.length === 0 ? '' : ','}${JSON.stringify(key)}:`;
    if ((REF_MEMBERS as readonly string[]).includes(key) && isBlobRef(member)) {
      parts.push(piece, { blob: member.$blob });
      piece = '';
    } else {
      piece += canonicalJson(member);
    }
  }
  return [...parts, `${piece}}`];
}

function surfaceOf({ surfaceOp, sources }: AuthoredEvent): Partial<EncodedEvent> {
  if (surfaceOp === undefined) return {};
  return {
    ...(surfaceOp === 'append'
      ? { surface: 'append' as const }
      : { surface: 'replace' as const, start: surfaceOp.start, end: surfaceOp.end }),
    ...(sources && { sources }),
  };
}

type AnyPair = { opens: string; key: (data: unknown) => string } | { closes: string; key: (data: unknown) => string };

function bracketOf(pair: AnyPair, data: unknown): Partial<EncodedEvent> {
  const key = pair.key(data);
  return 'opens' in pair ? { opens: canonicalJson([pair.opens, key]) } : { closes: canonicalJson([pair.closes, key]) };
}

function recovers(type: string, { error, reason }: KnownMembers): boolean {
  if (type === 'tool/result') return RECOVERY_CODES.has(error?.code ?? '');
  return type === 'turn/end' && reason?.kind === 'interrupted';
}
