import { z } from 'zod';

export const CommandResult = z.strictObject({ kind: z.enum(['success', 'error']), text: z.string().exactOptional() });
/** What a command tells the person who ran it. */
export type CommandResult = z.infer<typeof CommandResult>;

/** A command for people, as it is offered; it is never a message to the model. */
export interface CommandDescription {
  /** `^[a-z][a-z0-9_-]*$`. */
  name: string;
  description: string;
  /** What may follow the name. */
  input?: string;
}

/** The commands every session has; plugins add others, and may take the place of none of these. */
export const COMMANDS: readonly CommandDescription[] = [
  { name: 'compact', description: 'Shorten the history the model reads, between two turns' },
  { name: 'export', description: 'Where the whole log can be downloaded' },
  { name: 'feedback', description: 'Keep a remark with the session; the model does not see it', input: '<text>' },
  {
    name: 'goal',
    description: 'Show the goal, set one that the session works towards by itself, or change it',
    input: '[status | <objective> | edit <objective> | pause | resume | clear]',
  },
  {
    name: 'model',
    description: 'Show which model answers, or choose another one from the next step on',
    input: '[<provider>/<model> | <model>]',
  },
  { name: 'permission', description: 'Show or choose what tools may do', input: '[<preset>]' },
  {
    name: 'plan',
    description: 'Plan before acting, and with a message begin at once; or stop planning',
    input: '[off | <message>]',
  },
];

/** The name and raw input of a command line, or `undefined` when the text is an ordinary message. */
export function parseCommand(line: string): { name: string; input: string } | undefined {
  const match = /^\/([a-z][a-z0-9_-]*)(?=\s|$)/.exec(line);
  return match ? { name: match[1] as string, input: line.slice(match[0].length) } : undefined;
}
