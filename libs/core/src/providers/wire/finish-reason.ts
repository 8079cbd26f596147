import type { FinishReason, LlmFailureCode, StreamedBlockType } from '../../domain/index.ts';

/**
 * Why an answer ended, judged by what it holds as well: servers say `stop` with calls there, and calls without any.
 * `reason` is named as chat completions name it; what they have no name for is an error that says it.
 */
export function finishReason(input: {
  reason: string | undefined;
  blocks: readonly StreamedBlockType[];
  promptTokens: number;
  contextWindow?: number;
}): FinishReason {
  const { reason, blocks, contextWindow } = input;
  const normal = reason === undefined || reason === 'stop' || reason === 'tool_calls' || reason === 'function_call';
  if (!normal && reason !== 'length') return stopped(reason);
  if (blocks.length === 0 && contextWindow !== undefined && input.promptTokens >= contextWindow) {
    const size = `${input.promptTokens} prompt tokens in a window of ${contextWindow}`;
    return failed('CONTEXT_WINDOW_EXCEEDED', `the model had no room to answer: ${size}`);
  }
  if (reason === 'length') return { kind: 'max-tokens' };
  if (blocks.length === 0) return failed('EMPTY_RESPONSE', 'the model answered with nothing');
  if (reason === undefined) return failed('MALFORMED_RESPONSE', 'the answer ended without a finish reason');
  return { kind: blocks.includes('tool-call') ? 'tool-calls' : 'stop' };
}

/** DeepSeek's word for having had no room for us is no verdict on the request: it may be asked again. */
function stopped(said: string): FinishReason {
  const reason = said.replaceAll(/[^\w. -]/g, '_').slice(0, 64);
  return failed(
    reason === 'insufficient_system_resource' ? 'SERVER' : reason.toUpperCase(),
    `model stopped: ${reason}`,
  );
}

function failed(code: LlmFailureCode, message: string): FinishReason {
  return { kind: 'error', failure: { code, message } };
}
