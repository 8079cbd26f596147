import type { AuthoredEvent, JsonValue, SeqRange } from '@everturn/core/domain';
import type { StoredRange } from '@everturn/core/postgres';
import type { WrittenEvent } from '../contract/index.ts';
import type { StoredAck } from './commit.ts';

/** What a SQL function says of a claim. */
export interface ClaimAnswer {
  kind: 'granted' | 'taken-over' | 'live' | 'done' | 'unknown' | 'void';
  epoch: number;
  owner: string | null;
  /** Canonical JSON. */
  outcome: string | null;
  written: string | null;
  writtenAcks: StoredAck[] | null;
  /** The numbers that stand for the names among the sources of each written event. */
  writtenSources: (StoredRange[] | null)[] | null;
  chunks: StoredRange[];
}

/** What a settled effect left behind. */
export interface EffectRecord {
  outcome: JsonValue;
  /** Events written with the outcome, in order. Their sources are numbers: names of chunks are in no history. */
  written: WrittenEvent[];
  /** The chunk rows of the effect's step. */
  chunks: SeqRange[];
}

/** Reads a settled claim. */
export function toRecord(answer: ClaimAnswer): EffectRecord {
  const events = answer.written === null ? [] : (JSON.parse(answer.written) as AuthoredEvent[]);
  const acks = answer.writtenAcks ?? [];
  return {
    outcome: JSON.parse(answer.outcome ?? 'null') as JsonValue,
    written: acks.map(([, seq, time], index) => {
      const event = events[index] as AuthoredEvent;
      const sources = answer.writtenSources?.[index];
      const numbered = sources ? { ...event, sources: toRanges(sources) } : event;
      return { event: numbered as AuthoredEvent, seq, time };
    }),
    chunks: toRanges(answer.chunks),
  };
}

/** Ranges as callers see them. */
export function toRanges(ranges: readonly StoredRange[]): SeqRange[] {
  return ranges.map(([from, to]) => ({ from, to }));
}
