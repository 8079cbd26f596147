import { isDomainError } from './errors.ts';
import { isEventType } from './event-registry.ts';
import type { SeqRange, SessionEvent } from './events.ts';
import { parseSessionEvent } from './load-log.ts';
import { LogCheck } from './log-invariants.ts';
import { recoverTail, type RecoveryEvent } from './recovery.ts';

/** A log of another deployment, or what is wrong with it and where. */
export type ImportedLog =
  | { kind: 'log'; events: SessionEvent[] }
  /** `line` counts from 1; absent: it is about the whole. */
  | { kind: 'refused'; code: string; line?: number; message: string };

/** Characters that are read, and what a line costs besides, before the caller may do something else. */
const SLICE_CHARACTERS = 256 * 1024;
const LINE_COST = 1024;

/** Reads a log as {@link importSteps} does, in one go. */
export function readImportedLog(lines: readonly string[], gaps: readonly SeqRange[] = []): ImportedLog {
  const steps = importSteps(lines, gaps);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * Reads a log that was exported, one event a line, and holds it to every rule a stored log is held to. A turn that was
 * open is closed as after a crash: nobody will go on with it. It may be long, so it yields after some milliseconds.
 */
export function* importSteps(
  lines: readonly string[],
  gaps: readonly SeqRange[] = [],
): Generator<undefined, ImportedLog> {
  const events: SessionEvent[] = [];
  const check = new LogCheck(gaps, 'trusted');
  let read = 0;
  for (const [at, line] of lines.entries()) {
    const found = readLine(line);
    if ('code' in found) return { kind: 'refused', line: at + 1, ...found };
    events.push(found.event);
    check.push(found.event);
    read += line.length + LINE_COST;
    if (read < SLICE_CHARACTERS) continue;
    read = 0;
    yield;
  }
  if (events.length === 0) return { kind: 'refused', code: 'IMPORT_EMPTY', message: 'the log holds no event' };
  const [broken] = check.end('open');
  if (broken) {
    const line = events.findIndex(({ seq }) => seq === broken.seq) + 1;
    const message = `event ${broken.seq} breaks the log (${broken.rule}): ${broken.message}`;
    return { kind: 'refused', code: 'IMPORT_CORRUPT_LOG', ...(line > 0 && { line }), message };
  }
  return { kind: 'log', events: [...events, ...closersOf(events)] };
}

function readLine(line: string): { event: SessionEvent } | { code: string; message: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { code: 'IMPORT_INVALID_JSON', message: 'the line is no JSON' };
  }
  try {
    const event = parseSessionEvent(value);
    if (isEventType(event.type)) return { event };
    const { type, seq } = event as SessionEvent;
    return { code: 'IMPORT_UNKNOWN_TYPE', message: `event ${seq}: nothing here knows the type "${type}"` };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    const unknown = error.code === 'DOMAIN_UNKNOWN_VARIANT';
    return { code: unknown ? 'IMPORT_UNKNOWN_TYPE' : 'IMPORT_INVALID_EVENT', message: error.message };
  }
}

function closersOf(events: readonly SessionEvent[]): SessionEvent[] {
  const { closers, time } = recoverTail({ events });
  const next = (events.at(-1)?.seq ?? -1) + 1;
  return closers.map((closer, n) => ({ ...numbered(closer), seq: next + n, time }) as SessionEvent);
}

/** Sources of a closer name events by number, since nothing of an imported log has a name. */
function numbered(closer: RecoveryEvent): object {
  const { type, data } = closer;
  if (closer.type !== 'tool/result') return { type, data };
  const { surfaceOp, sources } = closer.surface;
  const seqs = sources?.flatMap((source) =>
    typeof source === 'object' ? Array.from({ length: source.to - source.from + 1 }, (_, n) => source.from + n) : [],
  );
  return { type, data, surfaceOp, ...(seqs && seqs.length > 0 && { sourceEventSeqs: seqs }) };
}
