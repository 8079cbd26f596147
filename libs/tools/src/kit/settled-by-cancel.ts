import { isToolError, ToolError } from './tool-error.ts';

/**
 * For a body's `catch`: what a port reports as its own abort is the call's cancellation, and the call says so.
 * Anything else is thrown on.
 */
export const settledByCancel =
  (signal: AbortSignal) =>
  (error: unknown): never => {
    if (signal.aborted && isToolError(error) && error.code === 'WEB_ABORTED')
      throw new ToolError('ABORTED', 'tool call aborted', { cause: undefined });
    throw error;
  };
