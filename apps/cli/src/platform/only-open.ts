import { Interactions, sessionPath } from './api-shapes.ts';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';

/** The id of the one question of a kind that waits in a session; throws where there is none, or a choice. */
export async function onlyOpen(context: Context, session: string, kind: 'approval' | 'question'): Promise<string> {
  const request = { path: sessionPath(session, 'interactions'), query: { state: 'open' } };
  const { interactions } = await context.api().json(request, Interactions);
  const open = interactions.filter((one) => one.kind === kind);
  const [only] = open;
  if (only && open.length === 1) return only.id;
  throw new CliError({
    code: 'CLI_USAGE',
    what: open.length === 0 ? `no ${kind} waits in session ${session}` : `${open.length} of them wait`,
    remedy: `see \`everturn interactions ${session}\`${open.length === 0 ? '' : ' and name one by its id'}`,
  });
}
