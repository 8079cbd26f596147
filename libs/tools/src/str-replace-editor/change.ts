import {
  changeMeta,
  isToolError,
  observeMissing,
  ToolError,
  withRemedy,
  type EditFileInput,
  type ToolRunContext,
} from '../kit/index.ts';
import type { EditorAnswer, EditorArguments } from './execute.ts';
import { placesOf } from './places.ts';
import { required } from './required.ts';

/** Replaces the one place where a text stands. */
export async function replace(args: EditorArguments, context: ToolRunContext): Promise<EditorAnswer> {
  const old = required(args, 'old_str');
  if (old === '') throw new Error('Parameter `old_str` is empty for command: str_replace');
  if (args.new_str === null)
    throw new Error('Parameter `new_str` must not be null for command: str_replace; leave it out to delete old_str');
  const { new_str: replacement = '' } = args;
  return change(args, context, ({ text, displayPath }) => {
    const { first, lines } = placesOf(text, old);
    if (first === undefined)
      throw new ToolError(
        'FS_EDIT_NOT_FOUND',
        `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${displayPath}.`,
      );
    if (lines.length > 1)
      throw new ToolError(
        'FS_AMBIGUOUS_EDIT',
        `No replacement was performed, old_str \`${old}\` fits several places in lines [${lines.join(', ')}]; add surrounding lines until it fits one.`,
      );
    return text.slice(0, first) + replacement + text.slice(first + old.length);
  });
}

/** Puts a text after a line. */
export async function insert(args: EditorArguments, context: ToolRunContext): Promise<EditorAnswer> {
  const after = required(args, 'insert_line');
  const added = required(args, 'new_str');
  return change(args, context, ({ text }) => {
    const lines = text.split('\n');
    if (after < 0 || after > lines.length)
      throw new Error(
        `Invalid \`insert_line\` parameter: ${after}. It must lie within the lines of the file: [0, ${lines.length}]`,
      );
    return [...lines.slice(0, after), added, ...lines.slice(after)].join('\n');
  });
}

async function change(
  { path }: EditorArguments,
  context: ToolRunContext,
  how: EditFileInput['change'],
): Promise<EditorAnswer> {
  const { cwd, signal, ports, filePolicy: policy } = context;
  const expectedVersion: NonNullable<EditFileInput['expectedVersion']> = async (file) => policy?.editVersion(file);
  const done = await observeMissing(path, context, () =>
    withRemedy(() =>
      ports.files
        .edit({ path, cwd, signal, lineEnds: 'as-they-are', expectedVersion, change: how })
        .catch((error: unknown) => tellMissing(error, path, context)),
    ),
  );
  await policy?.observed(done, { kind: 'present', version: done.version });
  const success = `The file ${done.displayPath} has been edited successfully.`;
  return { output: done.note === undefined ? success : `${success}\n${done.note}`, meta: changeMeta(done) };
}

/** To an edit a file that is gone is a stale one; here it is simply not there. */
async function tellMissing(error: unknown, path: string, { cwd, signal, ports }: ToolRunContext): Promise<never> {
  if (!isToolError(error) || error.code !== 'FS_STALE_VERSION') throw error;
  const { kind, displayPath } = await ports.files.stat({ path, cwd, signal });
  throw kind === 'absent' ? new ToolError('FS_NOT_FOUND', `cannot edit "${displayPath}": not found`) : error;
}
