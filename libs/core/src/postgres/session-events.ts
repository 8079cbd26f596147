import type { SessionEvent } from '../domain/index.ts';

/** The log: one row per event. */
export interface SessionEventTable {
  session_id: string;
  seq: number;
  tenant: string;
  type: string;
  time: number;
  stamped_time: number | null;
  eid: string;
  content_hash: Buffer;
  data: string;
  turn: number | null;
  step: number | null;
  surface_op: 'append' | 'replace' | null;
  replace_start: number | null;
  replace_end: number | null;
  source_ranges: StoredRange[] | null;
}

export type StoredRange = [from: number, to: number];

/** The columns of an event that readers see. `data` is canonical JSON, byte for byte as it was written. */
export type EventRow = Pick<
  SessionEventTable,
  'seq' | 'type' | 'time' | 'data' | 'surface_op' | 'replace_start' | 'replace_end' | 'source_ranges'
>;

/** A row as readers see it: names gone, source ranges expanded. */
export function toSessionEvent(row: EventRow): SessionEvent {
  return JSON.parse(eventText(row)) as SessionEvent;
}

/** The JSON text of an event as readers see it, made without parsing its data. */
export function eventText(row: EventRow): string {
  const members = [
    `"type":${JSON.stringify(row.type)}`,
    `"seq":${row.seq}`,
    `"time":${row.time}`,
    `"data":${row.data}`,
  ];
  if (row.surface_op === 'append') members.push('"surfaceOp":"append"');
  if (row.surface_op === 'replace')
    members.push(`"surfaceOp":{"op":"replace","start":${row.replace_start},"end":${row.replace_end}}`);
  if (row.source_ranges) members.push(`"sourceEventSeqs":[${expandRanges(row.source_ranges).join(',')}]`);
  return `{${members.join(',')}}`;
}

/** The numbers of ranges, in the order of the ranges. */
export function expandRanges(ranges: readonly StoredRange[]): number[] {
  return ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
}
