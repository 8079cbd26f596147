import { text } from '@everturn/core/domain';
import {
  implementTool,
  observeMissing,
  spillOf,
  ToolError,
  type ToolCallContext,
  type ToolSettings,
} from '../kit/index.ts';
import { languageOf } from './language.ts';
import { LineWindow, type LineWindowResult } from './line-window.ts';
import { read } from './schema.ts';

/** Streams the file once, so its size does not matter; the count of lines is always exact. */
export const executeRead = implementTool(read, async ({ file_path: path, offset = 1, limit }, context) => {
  const settings = context.settings.read;
  if (path.trim() === '') throw new ToolError('FS_NOT_FOUND', 'file_path must be a non-empty string');
  const maxLines = checkWindow({ offset, limit, settings });
  const spilled = await readSpilled(path, context);
  if (spilled !== undefined) return shown({ displayPath: path, offset, text: spilled, limit: maxLines, settings });
  const { cwd, signal } = context;
  const file = await observeMissing(path, context, () => context.ports.files.readText({ path, cwd, signal }));
  const window = new LineWindow({ ...settings, offset, limit: maxLines });
  for await (const chunk of file.chunks) window.push(chunk);
  const found = window.finish();
  const { displayPath } = file;
  const { lines, totalLines } = found;
  refuseBeyond({ displayPath, offset, found });
  await context.filePolicy?.observed(file, { kind: 'present', version: file.version });
  const lang = languageOf(displayPath);
  return {
    content: [text(envelope({ displayPath, offset, found }))],
    meta: { path: displayPath, offset, lines: lines.length, totalLines, ...(lang !== undefined && { lang }) },
    value: { path: displayPath, offset, lines, totalLines },
  };
});

/** A result that was too long to show, where those are kept in no file. */
async function readSpilled(path: string, { ports, initiator }: ToolCallContext): Promise<string | undefined> {
  if (spillOf(path) === undefined || !ports.spill.open) return undefined;
  const kept = await ports.spill.open(path, initiator.session);
  if (kept === undefined) throw new ToolError('FS_NOT_FOUND', `"${path}" is no result that was kept for this session`);
  return kept;
}

interface SpilledInput {
  displayPath: string;
  offset: number;
  text: string;
  limit: number;
  settings: ToolSettings['read'];
}

function shown({ displayPath, offset, text: kept, limit, settings }: SpilledInput) {
  const window = new LineWindow({ ...settings, offset, limit });
  window.push(kept);
  const found = window.finish();
  const { lines, totalLines } = found;
  refuseBeyond({ displayPath, offset, found });
  return {
    content: [text(envelope({ displayPath, offset, found }))],
    meta: { path: displayPath, offset, lines: lines.length, totalLines },
    value: { path: displayPath, offset, lines, totalLines },
  };
}

function refuseBeyond({ displayPath, offset, found: { totalLines } }: EnvelopeInput): void {
  if (offset > Math.max(1, totalLines))
    throw new ToolError('FS_NOT_FOUND', `offset ${offset} is out of range for "${displayPath}" (${totalLines} lines)`);
}

interface WindowInput {
  offset: number;
  limit: number | undefined;
  settings: ToolSettings['read'];
}

function checkWindow({ offset, limit = Infinity, settings }: WindowInput): number {
  if (!Number.isInteger(offset) || offset < 1) throw new Error('offset must be a positive integer');
  if (limit === Infinity) return settings.limit;
  if (!Number.isInteger(limit) || limit < 1) throw new Error('limit must be a positive integer');
  if (limit > settings.limit) throw new Error(`limit must be less than or equal to ${settings.limit}`);
  return limit;
}

interface EnvelopeInput {
  displayPath: string;
  offset: number;
  found: LineWindowResult;
}

function envelope({ displayPath, offset, found }: EnvelopeInput): string {
  const { lines, firstCutLine } = found;
  const numbered = lines.map((line, index) => `${offset + index}: ${line}\n`).join('');
  return [
    `<path>${displayPath}</path>`,
    '<type>file</type>',
    '<content>',
    `${numbered}${lines.length > 0 ? '\n' : ''}${footer(offset, found)}`,
    '</content>',
    ...(firstCutLine === undefined ? [] : [remedyForCutLines(firstCutLine)]),
  ].join('\n');
}

function footer(offset: number, { lines, totalLines, capped }: LineWindowResult): string {
  const last = offset + lines.length - 1;
  if (capped) return `(Output capped. Showing lines ${offset}-${last}. Use offset=${last + 1} to continue.)`;
  if (last < totalLines)
    return `(Showing lines ${offset}-${last} of ${totalLines}. Use offset=${last + 1} to continue.)`;
  return `(End of file - total ${totalLines} lines)`;
}

/** No offset reaches the rest of a long line, so say what does. */
const remedyForCutLines = (line: number): string =>
  `(To see the rest of a cut line use bash, for example: sed -n '${line}p' "$file" | cut -c 2001-4000, or search it with grep.)`;
