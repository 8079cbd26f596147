import { SessionHeader, SessionId, Workspace } from '@everturn/core/domain';
import { SessionOptions } from '@everturn/core/protocol';
import { z } from 'zod';
import { pictureEntries, pictureOf } from '../platform/archive/picture-entry.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { readZip, ZipError } from './read-zip.ts';

const Gap = z.strictObject({
  from: z.int().nonnegative(),
  to: z.int().nonnegative(),
  reason: z.enum(['pruned', 'rebuilt']),
});
const About = z.looseObject({
  header: SessionHeader.extend({ cwd: Workspace.optional() }),
  options: SessionOptions.default({}),
  gaps: z.array(Gap).default([]),
});

/** What an archive holds of a session. */
export interface Archive {
  about: z.output<typeof About>;
  /** Whether it says what the session was called by. */
  named: boolean;
  lines: string[];
  /** Those of these pictures that came with it, by their ids; refuses a damaged archive. */
  pictures(ids: readonly string[]): Promise<Map<string, Buffer>>;
}

/** Unpacked, of the log and of its pictures each: a log takes several times its size in memory while it is checked. */
const MAX_BYTES = 64 * 1024 * 1024;
const ABOUT = 'session.json';
const EVENTS = 'events.jsonl';

/** Reads a ZIP as an export makes it, or the lines of its `events.jsonl` alone; refuses anything else. */
export async function readArchive(body: Buffer): Promise<Archive> {
  if (body.readUInt16BE(0) !== 0x504b) {
    const header = { version: 0 as const, id: SessionId.parse('imported'), createdAt: Date.now() };
    const none = async () => new Map<string, Buffer>();
    return { about: { header, options: {}, gaps: [] }, named: false, lines: linesOf(body), pictures: none };
  }
  const entries = await unpack(body, [ABOUT, EVENTS]);
  const [about, events] = [entries.get(ABOUT), entries.get(EVENTS)];
  if (!about || !events) {
    const entry = about ? EVENTS : ABOUT;
    throw refused({ entry, rule: 'IMPORT_INCOMPLETE', message: `the archive holds no ${entry}` });
  }
  const pictures = async (ids: readonly string[]) => {
    const found = await unpack(body, ids.flatMap(pictureEntries));
    return new Map([...found].map(([entry, bytes]) => [pictureOf(entry), bytes]));
  };
  return { about: parseAbout(about), named: true, lines: linesOf(events), pictures };
}

async function unpack(body: Buffer, names: readonly string[]): Promise<Map<string, Buffer>> {
  try {
    return await readZip(body, { names, maxBytes: MAX_BYTES });
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    throw refused({ entry: 'archive', rule: 'IMPORT_DAMAGED', message: error.message });
  }
}

function parseAbout(bytes: Buffer): Archive['about'] {
  const parsed = About.safeParse(jsonOf(bytes));
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues
    .map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`)
    .join('; ');
  throw refused({ entry: ABOUT, rule: 'IMPORT_INVALID_SESSION', message });
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(textOf(bytes, ABOUT)) as unknown;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw refused({ entry: ABOUT, rule: 'IMPORT_INVALID_JSON', message: 'it is no JSON' });
  }
}

/** The last line may end, or not. */
function linesOf(bytes: Buffer): string[] {
  const lines = textOf(bytes, EVENTS).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function textOf(bytes: Buffer, entry: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused({ entry, rule: 'IMPORT_INVALID_JSON', message: 'it is no UTF-8' });
  }
}

/** What is wrong with an archive, and where in it. */
export function refused(about: { entry: string; line?: number; rule: string; message: string }): ApiError {
  const { entry, line, message } = about;
  const place = line === undefined ? entry : `${entry}, line ${line}`;
  const { message: _, ...details } = about;
  return new ApiError({ code: 'IMPORT_REFUSED', message: `${place}: ${message}`, details });
}
