import type { Command } from 'commander';
import type { Context } from '../platform/context.ts';
import { addReopen } from '../platform/reopen.ts';

/** `session resume <session>`. */
export function addSessionResume(session: Command, context: Context): void {
  addReopen({
    session,
    context,
    name: 'resume',
    description: 'Reopen a closed session; one that is open is left as it is',
  });
}
