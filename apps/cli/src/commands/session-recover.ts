import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { addReopen } from '../platform/reopen.ts';

/** `session recover <session>`. */
export function addSessionRecover(session: Command, context: Context): void {
  const description = 'Mend a broken session: close what its dead run left open, then take prompts again';
  addReopen({ session, context, name: 'recover', description });
}
