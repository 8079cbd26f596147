import {
  BlockAssembler,
  isLlmError,
  type ContentBlock,
  type GenerateOptions,
  type JsonValue,
  type LlmFailure,
  type StreamChunk,
  type TokenUsage,
} from '@everturn/core/domain';
import { describeFailure } from '../failure.ts';

/** The one way to a model; fails only with `LlmError` or `finish{error|aborted}`. */
export interface ModelSource {
  stream(options: GenerateOptions): AsyncIterable<StreamChunk>;
}

/** How one attempt at a model ended. */
export type Answer =
  | {
      kind: 'success';
      finish: 'stop' | 'tool-calls' | 'max-tokens';
      content: ContentBlock[];
      replayState?: JsonValue;
      usage?: TokenUsage;
    }
  /** `usage`: what the provider counted all the same. */
  | { kind: 'failure'; failure: LlmFailure; usage?: TokenUsage }
  /** The signal was raised; what came before stays in the log. */
  | { kind: 'interrupted' };

export interface CollectInput {
  source: ModelSource;
  options: GenerateOptions & { signal: AbortSignal };
  /** Called with each raw chunk before it is assembled; nothing more is read until what it answers resolves. Must not fail. */
  onChunk(chunk: StreamChunk): Promise<void> | undefined;
}

/** Streams one answer to its end; a failing model is a value. */
export async function collectAnswer({ source, options, onChunk }: CollectInput): Promise<Answer> {
  const assembler = new BlockAssembler();
  const { signal } = options;
  try {
    for await (const chunk of source.stream(options)) {
      if (signal.aborted) return { kind: 'interrupted' };
      const room = onChunk(chunk);
      assembler.push(chunk);
      if (room) await room;
    }
    return signal.aborted && !assembler.finished ? { kind: 'interrupted' } : judge(assembler);
  } catch (error) {
    if (signal.aborted) return { kind: 'interrupted' };
    const failure = isLlmError(error) ? error.failure : { code: 'UNKNOWN', message: describeFailure(error) };
    return failed(assembler, failure);
  }
}

function judge(assembler: BlockAssembler): Answer {
  const reason = assembler.finish;
  switch (reason.kind) {
    case 'error':
    case 'aborted':
      return failed(assembler, reason.failure);
    case 'stop':
    case 'tool-calls':
      return success(assembler, assembler.blocks().some(isCall) ? 'tool-calls' : 'stop');
    case 'max-tokens':
      return success(assembler, 'max-tokens');
  }
}

function success(assembler: BlockAssembler, finish: 'stop' | 'tool-calls' | 'max-tokens'): Answer {
  const content = assembler.blocks();
  if (finish === 'stop' && content.every(saysNothing)) {
    return failed(assembler, { code: 'EMPTY_RESPONSE', message: 'the model answered with nothing' });
  }
  const { replayState, usage } = assembler;
  return {
    kind: 'success',
    finish,
    content,
    ...(replayState !== undefined && { replayState }),
    ...(usage && { usage }),
  };
}

const failed = ({ usage }: BlockAssembler, failure: LlmFailure): Answer => ({
  kind: 'failure',
  failure,
  ...(usage && { usage }),
});

const isCall = (block: ContentBlock): boolean => block.type === 'tool-call';
const saysNothing = (block: ContentBlock): boolean =>
  (block.type === 'text' || block.type === 'reasoning') && block.text === '';
