import { changeMeta, isToolError, type ToolRunContext, type WriteIntent } from '../kit/index.ts';
import type { EditorAnswer, EditorArguments } from './execute.ts';
import { required } from './required.ts';

const ONLY_NEW: WriteIntent = { kind: 'create-if-absent' };

/** Makes a file that is not there yet, whatever the session has seen. */
export async function create(args: EditorArguments, context: ToolRunContext): Promise<EditorAnswer> {
  const content = required(args, 'file_text');
  const { cwd, signal, ports, filePolicy: policy } = context;
  const { path } = args;
  const intent = async (file: Parameters<NonNullable<typeof policy>['writeIntent']>[0]) => {
    await policy?.writeIntent(file); // it may refuse; what it would let be replaced is not for this command
    return ONLY_NEW;
  };
  const change = await ports.files.write({ path, cwd, signal, content, intent }).catch((error: unknown) => {
    if (!isToolError(error) || error.code !== 'FS_NOT_OBSERVED') throw error;
    throw new Error(`File already exists at: ${path}. Cannot overwrite files using command \`create\`.`);
  });
  await policy?.observed(change, { kind: 'present', version: change.version });
  return { output: `New file created successfully at: ${change.displayPath}`, meta: changeMeta(change) };
}
