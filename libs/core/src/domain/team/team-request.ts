import type { MaybeRef } from '../blob.ts';
import type { ContentBlock } from '../content.ts';
import type { SessionId } from '../ids.ts';
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

/** What somebody is when they call, which the members a lead makes are to be, too. */
export interface LeadFacts {
  config: LlmCallConfig;
  sandbox?: SandboxMode;
}

/** What a tool wants to know of a team, which the log of its lead tells. */
export type TeamQuestion =
  | { about: 'members' }
  | { about: 'task'; taskId: string }
  | { about: 'tasks'; filter: TaskFilter };

/** What a session knows of the team it belongs to. */
export interface TeamPlace {
  lead: SessionId;
}

/** `lost`: the lead's session has died since it was asked, and nobody knows whether it did what it was asked for. */
export type TeamReply =
  | { kind: 'team'; value: { [key: string]: JsonValue } }
  | { kind: 'team-refused'; error: { code: string; message: string } }
  | { kind: 'team-lost' };

/** What a question about a team is answered. */
export type TeamAnswer =
  | { kind: 'answered'; content: MaybeRef<ContentBlock[]> }
  | { kind: 'refused'; error: TeamError };
