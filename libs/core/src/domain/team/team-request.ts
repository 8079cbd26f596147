import type { JsonValue } from '../json.ts';
import type { LlmCallConfig } from '../requests.ts';
import type { SandboxMode } from '../sandbox-mode.ts';
import type { NewTask, TaskChange } from './change-task.ts';
import type { TeamError } from './team-error.ts';
import type { TaskFilter } from './view-tasks.ts';
import type { TeamLimits } from './team.ts';

/** What a tool asks of the lead's session, which alone changes a team. */
export type TeamRequest =
  | { operation: 'spawn'; name: string; description: string; prompt: string; context: 'fresh' | 'fork' }
  | { operation: 'send'; target: string; message: string }
  | { operation: 'interrupt'; target: string }
  | { operation: 'wait'; timeoutMs: number }
  | { operation: 'create-task'; task: NewTask }
  | { operation: 'change-task'; change: TaskChange };

/** What a deployment decides about teams. */
export interface TeamRules extends TeamLimits {
  freshProvider: string;
  forkProvider: string;
}

/** What the lead is when it calls, which its members are to be, too. */
export interface LeadFacts {
  config: LlmCallConfig;
  sandbox?: SandboxMode;
}

/** What a tool wants to know of a team, which the log of its lead tells. */
export type TeamQuestion =
  | { about: 'members' }
  | { about: 'task'; taskId: string }
  | { about: 'tasks'; filter: TaskFilter };

/** `lost`: the lead's session has died since it was asked, and nobody knows whether it did what it was asked for. */
export type TeamReply =
  | { kind: 'team'; value: { [key: string]: JsonValue } }
  | { kind: 'team-refused'; error: Omit<TeamError, 'code'> & { code: string } }
  | { kind: 'team-lost' };
