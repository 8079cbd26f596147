import type { ToolDefinition } from './define-tool.ts';
import type { ToolSettings } from './tool-settings.ts';

/** What a job is, which is also how its id begins: `bash-1`. */
export type JobKind = 'bash' | 'pwsh' | 'pty-send' | 'subagent';

/** How a tool's calls ask to run in the background, and what their jobs are called. */
export interface BackgroundCalls<Args = never> {
  readonly argument: 'run_in_background';
  readonly kind: JobKind;
  /** One line that tells the job from others. Throws what is wrong with a call of which no job can be made. Pure. */
  label(args: Args, settings: ToolSettings): string;
}

const NO_BACKGROUND = 'No call can run in the background here.';

/** A tool as it is offered where nothing runs in the background; its body refuses who asks for it all the same. */
export function withoutBackground({ background, ...tool }: ToolDefinition): ToolDefinition {
  if (!background) return tool;
  const { [background.argument]: _hidden, ...properties } = tool.parameters.properties ?? {};
  const description = `${tool.description} ${NO_BACKGROUND}`;
  return { ...tool, description, parameters: { ...tool.parameters, properties } };
}

/** What a job wrote since it was last asked. */
export interface JobOutput {
  text: string;
  /** What it wrote to its second stream, shown apart. */
  stderr?: string;
  /** Lines of our own about the job, each shown on a line of its own. */
  notice?: string;
  /** Some of it was too much to be kept; the files hold all of it, none where that was not possible. */
  dropped?: { files: string[] };
}

/** How a job ended. `detail` is short and for the model: `exit code: 3`, `signal: SIGTERM`. */
export interface JobEnd {
  state: 'completed' | 'killed' | 'failed';
  detail?: string;
}

/** Work that goes on after its call was answered. Bounded by its owner's life, not by a time limit. */
export interface RunningJob {
  /** What is new since the last call; never more than a page. */
  read(): JobOutput;
  /** Settles once nothing of it runs any more and all its output can be read; must not reject. */
  readonly outcome: Promise<JobEnd>;
  /** Asks it to end; a second call changes nothing. */
  cancel(): void;
}
