import { text } from '@everturn/core/domain';
import {
  clipText,
  implementTool,
  showingDenial,
  type ArgumentsOf,
  type ToolOutput,
  type ToolRunContext,
} from '../kit/index.ts';
import { create } from './create.ts';
import { insert, replace } from './change.ts';
import { strReplaceEditor } from './schema.ts';
import { view } from './view.ts';

const MAX_OUTPUT_CHARACTERS = 16_000;

export type EditorArguments = ArgumentsOf<(typeof strReplaceEditor)['parameters']>;

/** What a command answers; `output` is clipped here. */
export interface EditorAnswer extends Pick<ToolOutput, 'meta'> {
  output: string;
}

/** One file a call; what is refused leaves it as it was. */
export const executeStrReplaceEditor = implementTool(strReplaceEditor, async (args, context) => {
  const { path } = args;
  if (!path.startsWith('/'))
    throw new Error(`The path ${path} is not an absolute path, it should start with \`/\`. Maybe you meant /${path}?`);
  const { output, ...rest } = await showingDenial(run(args, context), context.sandbox, 'no-way-out');
  return { content: [text(clipText(output, MAX_OUTPUT_CHARACTERS))], ...rest };
});

function run(args: EditorArguments, context: ToolRunContext): Promise<EditorAnswer> {
  switch (args.command) {
    case 'view':
      return view(args, context);
    case 'create':
      return create(args, context);
    case 'str_replace':
      return replace(args, context);
    case 'insert':
      return insert(args, context);
  }
}
