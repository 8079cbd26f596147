import { text } from '@everturn/core/domain';
import { implementTool, ToolError } from '../kit/index.ts';
import { loadWorkspaceDependencies } from './schema.ts';

/** Waits for what all sessions of the machine share; a cancel ends the waiting, not the copying. */
export const executeLoadWorkspaceDependencies = implementTool(
  loadWorkspaceDependencies,
  async (_args, { ports, signal }) => {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(new ToolError('ABORTED', 'tool call aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const found = await Promise.race([ports.dependencies.load(), aborted]);
      return { content: [text(JSON.stringify(found, null, 2))], value: { ...found } };
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  },
);
