/** Whether an agent works: `running` spans consecutive turns and their flushes, and proves no open turn. */
export type AgentStatus = 'idle' | 'running' | 'disposed';

/** Why a session's loop began; only `startup` and `resume` are emitted. */
export type SessionStartSource = 'startup' | 'resume' | 'clear' | 'compact';
