import type { SessionCommand } from './command.ts';
import { compact } from './compact.ts';
import { feedback } from './feedback.ts';
import { goal } from './goal.ts';
import { model } from './model.ts';
import { permission } from './permission.ts';
import { plan } from './plan.ts';

export type { CommandOutcome, SessionCommand } from './command.ts';

/** The commands that act on a session itself, by name. */
export const sessionCommands: ReadonlyMap<string, SessionCommand> = new Map(
  [compact, feedback, goal, model, permission, plan].map((command) => [command.name, command]),
);
