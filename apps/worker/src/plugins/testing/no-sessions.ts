import type { AgentHandles } from '../agent-handle.ts';

/** Speaking to sessions takes a server, which these tests have none of. */
export const noSessions: AgentHandles = ({ session }) => {
  throw new TypeError(`nobody can speak to ${session} here`);
};
